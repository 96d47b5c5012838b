// Other libraries, in the rows that they have. They are installed outside of this repository, by exact version (peers/package.json),
// the first time that a benchmark runs; without a registry their cells stay empty.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { credentialsProvider, month, origin, request, secret, user } from "../application.mjs";
import { CookieJar } from "../browser.mjs";

const manifest = join(import.meta.dirname, "../peers/package.json");

/** Where they are installed; null where that was not possible. */
const folder = install();

function install() {
  const name = createHash("sha256").update(readFileSync(manifest)).digest("hex").slice(0, 12);
  const target = join(tmpdir(), `cardea-bench-peers-${name}`);
  if (existsSync(join(target, "complete"))) return target;
  mkdirSync(target, { recursive: true });
  copyFileSync(manifest, join(target, "package.json"));
  try {
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: target,
      stdio: "ignore",
    });
  } catch {
    console.error("The libraries of peers/package.json could not be installed; their cells stay empty.\n");
    return null;
  }
  mkdirSync(join(target, "complete"));
  return target;
}

/** Whether they are there. */
export const areInstalled = folder !== null;

/** One of them, by its name. */
export async function load(specifier) {
  const path = createRequire(join(folder, "package.json")).resolve(specifier);
  const module = await import(pathToFileURL(path).href);
  return module.default !== undefined && Object.keys(module).length <= 2 ? { ...module.default, ...module } : module;
}

const READERS = { "iron-session": ironSession, "better-auth (cookie cache)": betterAuth };

/** The names of those that have a row. */
export function peersOf(row) {
  return folder !== null && row === "session read in server code, nothing due" ? Object.keys(READERS) : [];
}

/** One of them as a contender of its row. */
export function contendPeer(name) {
  return READERS[name]();
}

async function ironSession() {
  const { getIronSession } = await load("iron-session");
  const options = { password: secret, cookieName: "iron", ttl: month };
  const response = new Response();
  const session = await getIronSession(request("/"), response, options);
  Object.assign(session, { user });
  await session.save();
  const jar = new CookieJar();
  jar.keep(response);
  const read = (given) => getIronSession(given, new Response(), options);
  if ((await read(request("/", jar.header()))).user.email !== user.email) throw new Error("iron-session reads nothing");
  return { call: read, prepare: () => request("/dashboard?tab=1", jar.header()) };
}

async function betterAuth() {
  const { betterAuth: create } = await load("better-auth");
  const { memoryAdapter } = await load("better-auth/adapters/memory");
  const tables = { user: [], session: [], account: [], verification: [] };
  const auth = create({
    secret,
    baseURL: origin,
    database: memoryAdapter(tables),
    emailAndPassword: { enabled: true },
    session: { cookieCache: { enabled: true, maxAge: 3600 } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  });
  const jar = new CookieJar();
  const body = JSON.stringify({ email: user.email, name: user.name, password: "correct horse battery" });
  const headers = { "content-type": "application/json", origin };
  const response = await auth.handler(request("/api/auth/sign-up/email", "", { method: "POST", headers, body }));
  jar.keep(response);
  const read = (given) => auth.api.getSession({ headers: given.headers });
  if ((await read(request("/", jar.header())))?.user.email !== user.email) throw new Error("better-auth reads nothing");
  return { call: read, prepare: () => request("/dashboard?tab=1", jar.header()) };
}

/** Adds a route of each library to an Express application, and to `cookies` what its user sends. */
export async function addExpressPeers(app, cookies) {
  if (folder === null) return;
  await addAuthJs(app, cookies);
  await addPassport(app, cookies);
}

async function addAuthJs(app, cookies) {
  const { ExpressAuth, getSession } = await load("@auth/express");
  const config = { secret, trustHost: true, providers: [credentialsProvider], basePath: "/auth-js/auth" };
  app.use("/auth-js/auth", ExpressAuth(config));
  app.get("/Auth.js/me", async (req, res) => {
    const session = await getSession(req, config);
    res.json({ email: session.user.email });
  });
  cookies["Auth.js"] = (base) => signInByForm(`${base}/auth-js/auth`);
}

async function signInByForm(base) {
  const jar = new CookieJar();
  const { csrfToken } = await jar.keep(await fetch(`${base}/csrf`)).json();
  const body = new URLSearchParams({ csrfToken, username: "ann", password: "correct" });
  const init = { method: "POST", headers: { cookie: jar.header() }, body, redirect: "manual" };
  jar.keep(await fetch(`${base}/callback/credentials`, init));
  return jar.header(/session-token/);
}

/** With express-session and its store in memory, as its own guide begins. */
async function addPassport(app, cookies) {
  const { default: passport } = await load("passport");
  const { default: session } = await load("express-session");
  passport.serializeUser((given, done) => done(null, given.id));
  passport.deserializeUser((_id, done) => done(null, user));
  const middleware = [session({ secret, resave: false, saveUninitialized: false }), passport.session()];
  app.post("/passport/signin", ...middleware, (req, res, next) =>
    req.logIn(user, (error) => (error ? next(error) : res.end())),
  );
  app.get("/passport/me", ...middleware, (req, res) => res.json({ email: req.user.email }));
  cookies.passport = async (base) => {
    const jar = new CookieJar();
    jar.keep(await fetch(`${base}/passport/signin`, { method: "POST" }));
    return jar.header();
  };
}
