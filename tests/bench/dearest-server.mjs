// The applications that dearest.mjs sends requests to: three in one Express server, which tells its parent how much CPU time it took.
import { createAuth } from "@cardea/express";
import express from "express";

const METHODS = [
  "createUser getUser getUserByEmail getUserByAccount updateUser linkAccount createSession getSessionAndUser updateSession",
  "deleteSession createVerificationToken useVerificationToken",
].flatMap((line) => line.split(" "));
const adapterOf = (answer) => Object.fromEntries(METHODS.map((name) => [name, async () => answer(name)]));
const failing = adapterOf((name) => {
  throw new Error(`${name}: connection refused`);
});
const empty = adapterOf(() => null);
const providers = [
  {
    id: "op",
    name: "Provider",
    type: "oauth",
    clientId: "id",
    clientSecret: "a-client-secret-0123456789",
    authorization: "https://op.example.com/authorize",
    token: "https://op.example.com/token",
    userinfo: "https://op.example.com/userinfo",
    profile: ({ id }) => ({ id }),
  },
  { id: "email", name: "E-mail", type: "email", sendVerificationRequest: () => undefined },
  {
    id: "password",
    name: "Password",
    type: "credentials",
    credentials: {},
    authorize: ({ password }) => (password === "right" ? { id: "1", email: "ann@example.com" } : null),
  },
];
const common = {
  secret: "a secret of more than thirty-two bytes for the bench",
  trustHost: true,
  useSecureCookies: true,
  providers,
  logger: { error: () => undefined, warn: () => undefined },
};
const APPS = {
  jwt: { adapter: empty, session: { strategy: "jwt" } },
  database: { adapter: empty },
  outage: { adapter: failing },
};

const app = express();
for (const [name, options] of Object.entries(APPS)) {
  const basePath = `/${name}/auth`;
  app.use(basePath, createAuth({ ...common, ...options, basePath }).router);
}
const server = app.listen(0, "127.0.0.1", () => process.send({ port: server.address().port, apps: Object.keys(APPS) }));

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ microseconds: user + system });
});
