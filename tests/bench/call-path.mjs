/**
 * How much of core runs for one request: files and functions, counted by V8, and the depth of its imports.
 * Core's sources are compiled one by one, so that files stay files: `node call-path.mjs [folder of core's sources]`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, transform } from "esbuild";

const root = join(import.meta.dirname, "../..");
const sources = resolve(process.argv[2] ?? join(root, "packages/core/src"));
const packageOf = (name) => join(root, "packages", name);
const compiled = join(packageOf("core"), "node_modules/.call-path");
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** Compiles every file of core for itself. Returns what each imports, without types. */
async function compileCore() {
  rmSync(compiled, { recursive: true, force: true });
  const imports = new Map();
  const files = readdirSync(sources, { recursive: true }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  for (const file of files) {
    const { code } = await transform(readFileSync(join(sources, file), "utf8"), { loader: "ts", format: "esm" });
    const found = [...code.matchAll(/(from |import\()"(\.[^"]+)\.ts"/g)];
    const edges = found.map(([, by, path]) => ({ path: join(dirname(file), path), isLazy: by === "import(" }));
    imports.set(file.replace(/\.ts$/, ""), edges);
    const target = join(compiled, file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code.replace(/((?:from |import\()"\.[^"]+)\.ts"/g, '$1.js"'));
  }
  writeFileSync(join(compiled, "package.json"), '{"type":"module"}');
  return imports;
}

/** Another package as one file, on top of the compiled core. */
async function load(name) {
  const outfile = join(packageOf(name), "node_modules/.call-path/index.mjs");
  const toCore = {
    name: "core",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^@cardea\/core/ }, ({ path }) => ({
        path: join(compiled, `${path.slice("@cardea/core/".length) || "index"}.js`),
        external: true,
      })),
  };
  const entryPoints = [join(packageOf(name), "src/index.ts")];
  const options = { bundle: true, format: "esm", platform: "node", packages: "external", logLevel: "error" };
  await build({ entryPoints, outfile, plugins: [toCore], ...options });
  return import(pathToFileURL(outfile).href);
}

/** The longest chain of imports that begins at the main entry point, with or without `import()`. */
function depthOf(imports, withLazy) {
  const known = new Map();
  const depth = (file) => {
    const next = (imports.get(file) ?? []).filter(({ isLazy }) => withLazy || !isLazy);
    if (!known.has(file)) known.set(file, 1 + Math.max(0, ...next.map(({ path }) => depth(path))));
    return known.get(file);
  };
  return depth("index");
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** Runs the second of two like requests alone, when everything is loaded, and counts what ran. */
async function measure(prepare, run) {
  for (const isCounted of [false, true]) {
    const prepared = await prepare();
    await session.post("Profiler.takePreciseCoverage");
    await run(prepared);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    if (!isCounted) continue;
    const ours = result.filter(({ url }) => url.startsWith(pathToFileURL(compiled).href));
    const ran = ours.map(({ url, functions }) => ({
      file: url.slice(pathToFileURL(compiled).href.length + 1),
      names: functions
        .filter((one) => one.ranges[0].count > 0)
        .map(({ functionName }) => functionName || "(anonymous)"),
    }));
    const files = ran.filter(({ names }) => names.length > 0);
    if (process.env.CALL_PATH_FILES) for (const { file, names } of files) console.log(" ", file, names.join(" "));
    return { files: files.length, functions: files.reduce((sum, { names }) => sum + names.length, 0) };
  }
}

const imports = await compileCore();
const { createAuth } = await import(pathToFileURL(join(compiled, "index.js")).href);
const { createAuthenticator, createBrowser, createMemoryAdapter, createScriptedProvider } = await load("testing");
const { Passkey } = await load("providers-webauthn");

const ORIGIN = "https://app.example.com";
const op = createScriptedProvider({ clientSecret: "a client secret of the bench" });
const provider = { id: "op", name: "OP", type: "oidc", issuer: op.issuer, clientId: op.clientId };
const client = { clientSecret: "a client secret of the bench" };
const { customFetch } = await import(pathToFileURL(join(compiled, "index.js")).href);
const config = {
  secret: "a secret of more than thirty-two bytes for the bench",
  trustHost: true,
  basePath: "/auth",
  logger: silent,
  experimental: { enableWebAuthn: true },
};
const plain = createAuth({ ...config, providers: [{ ...provider, ...client, [customFetch]: op.fetch }] });
const withDatabase = createAuth({ ...config, adapter: createMemoryAdapter().adapter, providers: [Passkey()] });

function visitorOf({ handlers }) {
  const visit = (request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
  return createBrowser(visit, { origin: ORIGIN, routes: { [op.issuer]: op.handler } });
}

async function startAtProvider() {
  const browser = visitorOf(plain);
  const page = await browser.navigate("/auth/signin");
  const started = await browser.submit(page, { action: "/auth/signin/op", follow: "none" });
  const { url } = await op.authorize(new URL(started.headers.get("location") ?? ""));
  return { browser, url };
}

async function signedIn() {
  const { browser, url } = await startAtProvider();
  await browser.navigate(url, { follow: "none" });
  return browser;
}

const cookiesOf = (browser) => {
  const pairs = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
  return { headers: { cookie: pairs.join("; ") } };
};

async function answerPasskey(browser, authenticator, action, query) {
  const { options } = await (await browser.fetch(`/auth/webauthn-options/passkey?action=${action}${query}`)).json();
  const data = await (action === "register" ? authenticator.create(options) : authenticator.get(options));
  const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
  const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
  const body = JSON.stringify({ action, data, csrfToken, callbackUrl: "/" });
  return () => browser.fetch("/auth/callback/passkey", { method: "POST", headers, body });
}

let users = 0;
async function withPasskey() {
  const browser = visitorOf(withDatabase);
  const authenticator = createAuthenticator();
  await (await answerPasskey(browser, authenticator, "register", `&email=user${users++}@example.com`))();
  browser.cookies.clear();
  return answerPasskey(browser, authenticator, "authenticate", "");
}

/** Checks that the request did what it stands for. */
const expectTo = (holds, what) => {
  if (!holds) throw new Error(`The measured request did not ${what}.`);
};

const rows = {
  "auth(request)": await measure(
    async () => new Request(`${ORIGIN}/`, cookiesOf(await signedIn())),
    async (request) => expectTo((await plain.auth(request)) !== null, "find a session"),
  ),
  "GET session": await measure(
    async () => new Request(`${ORIGIN}/auth/session`, cookiesOf(await signedIn())),
    async (request) => expectTo((await (await plain.handlers.GET(request)).json()) !== null, "find a session"),
  ),
  "OAuth callback": await measure(startAtProvider, async ({ browser, url }) => {
    await browser.navigate(url, { follow: "none" });
    expectTo(
      browser.cookies.list().some(({ name }) => name.includes("session-token")),
      "sign in",
    );
  }),
  "passkey sign-in": await measure(withPasskey, async (send) => expectTo((await send()).status === 200, "sign in")),
};
console.table(rows);
console.log(
  `Depth of imports: ${depthOf(imports, false)}; with those that are loaded on demand: ${depthOf(imports, true)}`,
);
