// The applications of the row "Express": one route each, in one process that tells its parent how much CPU time it took.

import { createAuth } from "@cardea/express";
import express from "express";
import { credentialsProvider, request, secret, user } from "./application.mjs";
import { CookieJar } from "./browser.mjs";
import { createFloor } from "./contenders/floor.mjs";
import { addExpressPeers } from "./rows/peers.mjs";

const app = express();
const cookies = { plain: "" };

app.get("/plain/me", (_req, res) => res.json({ email: user.email }));

const floor = await createFloor();
const jar = new CookieJar();
const { csrfToken } = await jar.keep(await floor.handle(request("/auth/csrf"))).json();
const signIn = (path, header, fields) =>
  new Request(`https://app.example.com${path}`, {
    method: "POST",
    headers: { cookie: header, origin: "https://app.example.com" },
    body: new URLSearchParams(fields),
  });
jar.keep(await floor.handle(signIn("/auth/callback/credentials", jar.header(), { csrfToken })));
cookies.floor = jar.header(/session-token/);
app.get("/floor/me", async (req, res) => {
  const session = await floor.read({ headers: { get: (name) => req.headers[name] ?? null } });
  res.json({ email: session.user.email });
});

const config = { secret, trustHost: true, providers: [credentialsProvider], basePath: "/auth" };
const { auth, router } = createAuth(config);
app.use("/auth", router);
app.get("/here/me", async (req, res) => {
  const session = await auth(req, res);
  res.json({ email: session.user.email });
});

await addExpressPeers(app, cookies);
const server = app.listen(0, "127.0.0.1", async () => {
  const { port } = server.address();
  const own = new CookieJar();
  const base = `http://127.0.0.1:${port}`;
  const token = (await own.keep(await fetch(`${base}/auth/csrf`)).json()).csrfToken;
  const body = new URLSearchParams({ csrfToken: token, username: "ann", password: "correct" });
  own.keep(
    await fetch(`${base}/auth/callback/credentials`, {
      method: "POST",
      headers: { cookie: own.header(), origin: base },
      body,
      redirect: "manual",
    }),
  );
  cookies.here = own.header(/session-token/);
  for (const [name, cookie] of Object.entries(cookies))
    if (typeof cookie === "function") cookies[name] = await cookie(base);
  process.send({ port, apps: cookies });
});

let last = process.cpuUsage();
process.on("message", () => {
  const { user: own, system } = process.cpuUsage(last);
  last = process.cpuUsage();
  process.send({ microseconds: own + system });
});
