/**
 * How much of core runs for one request: files and functions, counted by V8. tools/check-numbers.mjs holds some of the numbers. Core's
 * sources are compiled one by one, so that files stay files: `node call-path.mjs [--json] [folder of core's sources]`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build, transform } from "esbuild";

const root = join(import.meta.dirname, "../..");
const packageOf = (name) => join(root, "packages", name);
const compiled = join(packageOf("core"), "node_modules/.call-path");

/** Compiles every file of core for itself. */
async function compileCore(sources) {
  rmSync(compiled, { recursive: true, force: true });
  const files = readdirSync(sources, { recursive: true }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  for (const file of files) {
    const { code } = await transform(readFileSync(join(sources, file), "utf8"), { loader: "ts", format: "esm" });
    const target = join(compiled, file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code.replace(/((?:from |import\()"\.[^"]+)\.ts"/g, '$1.js"'));
  }
  writeFileSync(join(compiled, "package.json"), '{"type":"module"}');
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

const ORIGIN = "https://app.example.com";

/** Files and functions of core that run for each request, by its name. */
async function measureCallPath(sources) {
  await compileCore(sources);
  const core = await import(pathToFileURL(join(compiled, "index.js")).href);
  const requests = requestsOf(createApplications(core, await load("testing"), await load("providers-webauthn")));
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const rows = {};
  for (const [name, { prepare, run }] of Object.entries(requests)) rows[name] = await measure(session, prepare, run);
  session.disconnect();
  return rows;
}

/** Runs the second of two like requests alone, when everything is loaded, and counts what ran. */
async function measure(session, prepare, run) {
  await run(await prepare());
  const prepared = await prepare();
  await session.post("Profiler.takePreciseCoverage");
  await run(prepared);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ours = result.filter(({ url }) => url.startsWith(pathToFileURL(compiled).href));
  const ran = ours.map(({ url, functions }) => ({
    file: url.slice(pathToFileURL(compiled).href.length + 1),
    names: functions.filter((one) => one.ranges[0].count > 0).map(({ functionName }) => functionName || "(anonymous)"),
  }));
  const files = ran.filter(({ names }) => names.length > 0);
  if (process.env.CALL_PATH_FILES) for (const { file, names } of files) console.log(" ", file, names.join(" "));
  return { files: files.length, functions: files.reduce((sum, { names }) => sum + names.length, 0) };
}

/** Three applications, and what visits them: OAuth without a database; e-mail and passkeys, each with one. */
function createApplications({ createAuth, customFetch }, testing, { Passkey }) {
  const clientSecret = "a client secret of the bench";
  const op = testing.createScriptedProvider({ clientSecret });
  const provider = { id: "op", name: "OP", type: "oidc", issuer: op.issuer, clientId: op.clientId, clientSecret };
  const mails = [];
  const email = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: ({ url }) => void mails.push(url),
  };
  const create = (given) =>
    createAuth({
      secret: "a secret of more than thirty-two bytes for the bench",
      trustHost: true,
      basePath: "/auth",
      logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
      ...given,
    });
  const withDatabase = (given) => create({ adapter: testing.createMemoryAdapter().adapter, ...given });
  const visit = ({ handlers }) => {
    const respond = (request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
    return testing.createBrowser(respond, { origin: ORIGIN, routes: { [op.issuer]: op.handler } });
  };
  return {
    op,
    mails,
    visit,
    createAuthenticator: testing.createAuthenticator,
    oauth: create({ providers: [{ ...provider, [customFetch]: op.fetch }] }),
    email: withDatabase({ providers: [email] }),
    passkeys: withDatabase({ providers: [Passkey()], experimental: { enableWebAuthn: true } }),
  };
}

/** The measured requests: what happens before each, and the request itself, which must have its effect. */
function requestsOf(applications) {
  const { op, mails, visit, oauth, email } = applications;
  const openSignIn = async () => {
    const browser = visit(oauth);
    return { browser, page: await browser.navigate("/auth/signin") };
  };
  const start = ({ browser, page }) => browser.submit(page, { action: "/auth/signin/op", follow: "none" });
  const startAtProvider = async () => {
    const visit = await openSignIn();
    const { url } = await op.authorize(new URL((await start(visit)).headers.get("location") ?? ""));
    return { ...visit, url };
  };
  const requestLink = async () => {
    const browser = visit(email);
    const page = await browser.navigate("/auth/signin");
    await browser.submit(page, { action: "/auth/signin/email", fields: { email: `user${mails.length}@example.com` } });
    return { browser, url: mails.at(-1) };
  };
  const finish = async ({ browser, url }) => {
    await browser.navigate(url, { follow: "none" });
    expectTo(isSignedIn(browser), "sign in");
  };
  const requestWithSession = (path) => async () => {
    const visit = await startAtProvider();
    await finish(visit);
    const cookie = visit.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    return new Request(`${ORIGIN}${path}`, { headers: { cookie: cookie.join("; ") } });
  };
  return {
    "auth(request)": {
      prepare: requestWithSession("/"),
      run: async (request) => expectTo((await oauth.auth(request)) !== null, "find a session"),
    },
    "GET session": {
      prepare: requestWithSession("/auth/session"),
      run: async (request) => expectTo((await (await oauth.handlers.GET(request)).json()) !== null, "find a session"),
    },
    "OAuth start": {
      prepare: openSignIn,
      run: async (page) => expectTo((await start(page)).headers.get("location")?.startsWith(op.issuer), "redirect"),
    },
    "OAuth callback": { prepare: startAtProvider, run: finish },
    "e-mail link": { prepare: requestLink, run: finish },
    "passkey sign-in": {
      prepare: () => withPasskey(applications),
      run: async (send) => expectTo((await send()).status === 200, "sign in"),
    },
  };
}

const isSignedIn = (browser) => browser.cookies.list().some(({ name }) => name.includes("session-token"));

let users = 0;
/** Registers a passkey, and returns a request that signs in with it. */
async function withPasskey({ visit, passkeys, createAuthenticator }) {
  const browser = visit(passkeys);
  const authenticator = createAuthenticator();
  await (await answerPasskey(browser, authenticator, "register", `&email=user${users++}@example.com`))();
  browser.cookies.clear();
  return answerPasskey(browser, authenticator, "authenticate", "");
}

async function answerPasskey(browser, authenticator, action, query) {
  const { options } = await (await browser.fetch(`/auth/webauthn-options/passkey?action=${action}${query}`)).json();
  const data = await (action === "register" ? authenticator.create(options) : authenticator.get(options));
  const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
  const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
  const body = JSON.stringify({ action, data, csrfToken, callbackUrl: "/" });
  return () => browser.fetch("/auth/callback/passkey", { method: "POST", headers, body });
}

/** Checks that the request did what it stands for. */
function expectTo(holds, what) {
  if (!holds) throw new Error(`The measured request did not ${what}.`);
}

const { values, positionals } = parseArgs({ options: { json: { type: "boolean" } }, allowPositionals: true });
const rows = await measureCallPath(resolve(positionals[0] ?? join(root, "packages/core/src")));
if (values.json) console.log(JSON.stringify(rows));
else console.table(rows);
