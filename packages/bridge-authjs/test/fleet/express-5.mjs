// @auth/express, with the same base path, secret and cookie name.
import { ExpressAuth, getSession } from "@auth/express";
import Credentials from "@auth/express/providers/credentials";
import express from "express";
import { authorize, jwt, listen } from "./common.mjs";

const config = {
  trustHost: true,
  basePath: "/api/auth",
  providers: [Credentials({ credentials: { username: {} }, authorize })],
  callbacks: { jwt },
};
const app = express();
app.set("trust proxy", true);
app.use("/api/auth/{*action}", ExpressAuth(config));
app.get("/{*page}", async (req, res) => {
  res.json(await getSession(req, config));
});
listen(app);
