// The application of the journeys on Express 5, or on the version that BINDING_EXPRESS names.
import { createRequire } from "node:module";
import { createAuth } from "@cardea/express";
import { bindingConfig } from "@cardea/testing/binding-application";

const express = createRequire(import.meta.url)(process.env.BINDING_EXPRESS ?? "express");
const { router, auth, signIn, signOut } = createAuth(bindingConfig(process.env));
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
let runs = 0;

const app = express();
app.set("trust proxy", true);
app.use("/auth", router);
app.use(auth);
app.get("/session", async (req, res) => {
  try {
    res.json(await auth(req, res));
  } catch {
    res.status(503).end();
  }
});
app.get("/ran", (_req, res) => res.json(runs));
app.get("/open", (_req, res) => res.send("open"));
app.use("/members", (req, res) => {
  runs += 1;
  res.type("text").send(`SECRET of ${req.auth?.user?.name}`);
});
app.get("/stream", async (_req, res) => {
  res.cookie("theirs", "1").append("Set-Cookie", "other=2");
  res.write("first\n");
  await pause();
  res.end("last\n");
});
app.post("/enter", express.urlencoded({ extended: false }), (req, res, next) => {
  signIn(req, res, "credentials", req.body).catch((error) => {
    if (error.type === "CredentialsSignin") res.status(401).end();
    else next(error);
  });
});
app.post("/leave", (req, res, next) => {
  signOut(req, res, { redirectTo: "/session" }).catch(next);
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: server.address().port }));
});
