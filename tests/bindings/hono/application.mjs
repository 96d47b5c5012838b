// The application of the journeys on Hono, served by @hono/node-server.
import { createAuth } from "@cardea/hono";
import { bindingConfig } from "@cardea/testing/binding-application";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { stream } from "hono/streaming";

const { handler, guard, auth, signIn, signOut } = createAuth(bindingConfig(process.env));
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
let runs = 0;

const app = new Hono();
app.use(guard);
app.use("/auth/*", handler);
app.get("/session", async (c) => c.json(await auth(c)));
app.get("/ran", (c) => c.json(runs));
app.get("/open", (c) => c.text("open"));
app.all("/members/*", (c) => {
  runs += 1;
  return c.text(`SECRET of ${c.get("auth")?.user?.name}`);
});
app.get("/stream", (c) => {
  setCookie(c, "theirs", "1");
  setCookie(c, "other", "2");
  return stream(c, async (body) => {
    await body.write("first\n");
    await pause();
    await body.write("last\n");
  });
});
app.post("/enter", async (c) => signIn(c, "credentials", await c.req.formData()));
app.post("/leave", (c) => signOut(c, { redirectTo: "/session" }));
app.onError((error, c) => c.text(error.message, error.type === "CredentialsSignin" ? 401 : 503));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(JSON.stringify({ port })));
