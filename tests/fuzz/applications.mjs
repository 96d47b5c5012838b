// The applications under test, each on a port of its own: Express 4 and 5 with the guard in front of everything or of its parts,
// and the `auth` of Next.js and of core on node:http. All guarded content holds a mark.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const load = (name, entry = "index") =>
  import(new URL(`../../packages/${name}/dist/${entry}.js`, import.meta.url).href);
const [core, express, next, testing, webauthn] = await Promise.all(
  ["core", "express", "next", "testing", "providers-webauthn"].map((name) => load(name)),
);
const require = createRequire(new URL("../../packages/express/package.json", import.meta.url));
const { NextRequest } = createRequire(new URL("../../packages/next/package.json", import.meta.url))("next/server.js");
// Those that the package of the Express adapter is tested with.
const [express4, express5] = ["express4", "express"].map((name) => require(name));
const frameworks = { 4: express4, 5: express5 };

export const { createAuthenticator } = testing;
export const op = testing.createScriptedProvider();
/** In what only users may see, and in what no one may. */
export const MARK = "MARK-user";
export const ADMIN_MARK = "MARK-admin";
export const PASSWORD = "open sesame";
const isAdmin = (path) => /(?:^|\/)admin(?:\/|$)/i.test(path);

/** What the applications did since it was last emptied: links in e-mails by address, and lines of their logs. */
export const outbox = new Map();
export const logged = [];

const { adapter } = testing.createMemoryAdapter();

function configOf(strategy, origin) {
  const { hostname } = new URL(origin);
  return {
    secret: ["a secret of more than thirty-two bytes for fuzzing", "an older secret of more than thirty-two bytes!"],
    trustHost: true,
    basePath: "/auth",
    adapter,
    session: { strategy, updateAge: 0 },
    experimental: { enableWebAuthn: true },
    logger: { error: (error) => logged.push(error), warn: () => undefined, debug: () => undefined },
    callbacks: {
      authorized: ({ auth, request }) => auth !== null && !isAdmin(new URL(request.url).pathname),
      session: ({ session }) => ({ ...session, mark: MARK }),
    },
    providers: [
      {
        ...{
          id: "op",
          name: "P",
          type: "oidc",
          issuer: op.issuer,
          clientId: op.clientId,
          clientSecret: op.clientSecret,
        },
        [core.customFetch]: op.fetch,
      },
      {
        ...{ id: "email", name: "Mail", type: "email", rateLimit: () => true },
        sendVerificationRequest: ({ identifier, url }) => void outbox.set(identifier, url),
      },
      webauthn.Passkey({ relayingParty: { id: hostname, name: "Fuzz", origin } }),
      ...(strategy === "jwt" ? [passwords] : []),
    ],
  };
}

const passwords = {
  ...{ id: "credentials", name: "C", type: "credentials", credentials: { username: {}, password: {} } },
  authorize: ({ username, password }) => (password === PASSWORD ? { id: "7", name: String(username) } : null),
};

/** Makes the files that `express.static` has; `remove` deletes them. */
function makeFiles() {
  const root = mkdtempSync(join(tmpdir(), "fuzz-"));
  for (const name of ["secret.txt", "auth/secret.txt", "admin/secret.txt", "admin/index.html"]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), isAdmin(`/${name}`) ? ADMIN_MARK : MARK);
  }
  return root;
}

/** For `--control`: lets through what begins like an action once the path is resolved, which a guard must not do. */
const prefixGuard = (req, res, next) =>
  new URL(req.url.replace(/^[^/]*\/*/, "/"), "http://localhost").pathname.startsWith("/auth/")
    ? next()
    : res.status(401).end();

function createExpressApp(version, config, isNested, root, isControl) {
  const express_ = frameworks[version];
  const { auth: realAuth, router } = express.createAuth(config);
  const auth = isControl && !isNested ? prefixGuard : realAuth;
  const secret = (mark) => (_req, res) => void res.send(mark);
  const files = express_.static(root);
  const inner = express_.Router();
  const app = express_();
  if (isNested) {
    app.use("/auth", router);
    inner.use(auth);
    app.use("/files", auth);
    app.get("/one/:id", auth(secret(MARK)));
    app.all("/admin", auth);
  } else {
    app.use(auth);
    app.use(express_.urlencoded({ extended: true }), express_.json());
    app.use("/auth", router);
  }
  inner.all("/admin", secret(ADMIN_MARK));
  inner.use(secret(MARK));
  app.use(["/members", "/api"], inner);
  app.use("/files", files);
  app.all("/admin", secret(ADMIN_MARK));
  if (!isNested) app.use(files, secret(MARK));
  // What Express itself would print is judged by the status.
  app.use((error, _req, res, _next) => {
    if (!(error.status < 500)) logged.push(error);
    if (!res.headersSent) res.status(error.status ?? 500).send("failed");
  });
  return app;
}

/** A listener of node:http for what answers a Request; what the Fetch API cannot hold is answered 400. */
function toListener(answer) {
  return async (req, res) => {
    let request;
    try {
      const parts = [];
      for await (const part of req) parts.push(part);
      const body = ["GET", "HEAD"].includes(req.method) ? undefined : Buffer.concat(parts);
      const pairs = req.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1]]] : []));
      if (!req.url.startsWith("/")) throw new TypeError("not a path");
      request = new NextRequest(`http://localhost${req.url}`, { method: req.method, headers: pairs, body });
    } catch {
      return void res.writeHead(400).end();
    }
    const response = await answer(request).catch((error) => {
      logged.push(error);
      return new Response(null, { status: 500 });
    });
    const headers = [...response.headers].flat();
    res.writeHead(response.status, headers).end(Buffer.from(await response.arrayBuffer()));
  };
}

const isAction = ({ url }) => new URL(url).pathname.startsWith("/auth/");
const dispatch = ({ GET, POST }, request) => (request.method === "POST" ? POST(request) : GET(request));
/** A path may hold a `%` that escapes nothing, so that `decodeURI` would throw. */
const octetsOf = (path) => path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
const contentOf = ({ url }) => new Response(isAdmin(octetsOf(new URL(url).pathname)) ? ADMIN_MARK : MARK);

/** `auth` as middleware, as Next.js calls it: what it lets through reaches the route handlers or the content. */
function createNextListener(config) {
  const { auth, handlers } = next.createAuth(config);
  return toListener(async (request) => {
    const body = ["GET", "HEAD"].includes(request.method) ? undefined : await request.clone().arrayBuffer();
    const judged = await auth(request, {});
    if (!judged.headers.has("x-middleware-next")) return judged;
    const { method, headers, url } = request;
    return isAction(request) ? dispatch(handlers, new NextRequest(url, { method, headers, body })) : contentOf(request);
  });
}

function createCoreListener(config) {
  const { auth, handlers } = core.createAuth(config);
  const guarded = auth((request) => (isAction(request) ? dispatch(handlers, request) : contentOf(request)));
  return toListener((request) => guarded(request));
}

/** Starts them all; each is `{ name, port, origin, hasPasswords }`. */
export async function startApplications(isControl) {
  const root = makeFiles();
  const kinds = [
    ["Express 4", (config, isNested) => createExpressApp(4, config, isNested, root, isControl)],
    ["Express 5", (config, isNested) => createExpressApp(5, config, isNested, root, isControl)],
    ["Next.js", (config) => createNextListener(config)],
    ["core", (config) => createCoreListener(config)],
  ];
  const servers = [];
  const applications = [];
  for (const [kind, make] of kinds) {
    for (const strategy of ["jwt", "database"]) {
      // One of the two is told its origin, and must lead nowhere else, whatever a request says.
      const isNested = (strategy === "jwt") === (kind === "Express 4");
      const origin = isNested ? "https://app.example.com" : "http://localhost";
      if (isNested) process.env.AUTH_URL = origin;
      const server = createServer(make(configOf(strategy, origin), isNested));
      delete process.env.AUTH_URL;
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      servers.push(server);
      const { port } = server.address();
      applications.push({
        name: `${kind}, ${strategy}${isNested ? ", nested or with AUTH_URL" : ""}`,
        ...{ port, origin, hasOrigin: isNested, hasPasswords: strategy === "jwt" },
      });
    }
  }
  const end = () => {
    for (const server of servers) server.close().closeAllConnections();
    rmSync(root, { recursive: true });
  };
  return { applications, end };
}
