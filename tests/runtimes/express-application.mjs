// The same application on Express.
import { createAuth } from "@cardea/express";
import express from "express";
import { createConfig, createKeysConfig, describeRuntime, turnToken } from "./settings.mjs";

/** Makes the application for the environment of a runtime. */
export function createExpressApplication(env) {
  const { router, auth } = createAuth(createConfig(env));
  const application = express();
  application.use("/auth", router);
  application.use("/keys", createAuth(createKeysConfig(env)).router);
  application.get(
    "/members",
    auth((req, res) => res.json(req.auth)),
  );
  application.post("/jwt", express.json(), async (req, res) => res.json(await turnToken(req.body, env)));
  application.get("/runtime", (_req, res) => res.type("text").send(describeRuntime()));
  return application;
}
