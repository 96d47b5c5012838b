// The rows of requests: each makes the contender of a library, checks what it answers, and says how it is called.
import assert from "node:assert/strict";
import { claimsOf, createAdapter, form, origin, request, user } from "../application.mjs";
import { CookieJar } from "../browser.mjs";
import { createAuthJs } from "../contenders/auth-js.mjs";
import { createCardea } from "../contenders/cardea.mjs";
import { createFloor } from "../contenders/floor.mjs";

/** The contenders that have every row. */
export const MAKERS = { floor: createFloor, "Auth.js": createAuthJs, here: createCardea };
const PAGE = "/dashboard?tab=1";

/** The token for forms, and its cookie in the jar. */
async function csrfOf({ handle }, jar) {
  const response = jar.keep(await handle(request("/auth/csrf", jar.header())));
  return (await response.json()).csrfToken;
}

/** Signs in with the form; what the browser then sends is in the jar. */
async function signIn(app, jar = new CookieJar()) {
  const fields = { csrfToken: await csrfOf(app, jar), username: "ann", password: "correct" };
  const response = jar.keep(await app.handle(form("/auth/callback/credentials", jar.header(), fields)));
  assert.equal(response.status, 302, "the sign-in is answered with a redirect");
  return jar;
}

/** Signed in by a row: credentials make none in Auth.js. */
async function signInByRow(name, adapter) {
  const prefix = { floor: "__Host-floor", "Auth.js": "__Secure-authjs", here: "__Host-cardea" }[name];
  const sessionToken = crypto.randomUUID();
  await adapter.createSession({ sessionToken, userId: user.id, expires: new Date(Date.now() + 86_400_000 * 30) });
  return `${prefix}.session-token=${sessionToken}`;
}

const SESSION = /session-token(?:\.\d+)?$/;

/** A row that reads the session of a request; `claims` are put into the token at sign-in by an application of its own. */
const reading = (name, goal, { claims, ...options } = {}, { path = PAGE, as = "read" } = {}) => ({
  name,
  goal,
  contend: async (library, create) => {
    const app = await create(options);
    const cookies = (await signIn(await create({ claims }))).header(SESSION);
    const call = as === "read" ? (app.readToken ?? app.read) : app.handle;
    const result = await call(request(path, cookies));
    const seen = result instanceof Response ? await result.json() : result;
    assert.equal((seen.user ?? seen).email, user.email, `${library} reads the session`);
    return { call, prepare: () => request(path, cookies) };
  },
});

const databaseReading = (name, goal, options) => ({
  name,
  goal,
  contend: async (library, create) => {
    const adapter = createAdapter();
    const app = await create({ adapter, ...options });
    const cookies = await signInByRow(library, adapter);
    const body = await (await app.handle(request("/auth/session", cookies))).json();
    assert.equal(body.user.email, user.email, `${library} reads the session`);
    return { call: app.handle, prepare: () => request("/auth/session", cookies) };
  },
});

const signingOut = (name, goal, withDatabase) => ({
  name,
  goal,
  form: true,
  contend: async (library, create) => {
    const adapter = withDatabase ? createAdapter() : undefined;
    const app = await create({ adapter });
    const prepare = async () => {
      const jar = withDatabase ? new CookieJar() : await signIn(app);
      const session = withDatabase ? await signInByRow(library, adapter) : "";
      const own = {
        handle: (given) =>
          app.handle(request(new URL(given.url).pathname, [jar.header(), session].filter(Boolean).join("; "))),
      };
      const csrfToken = await csrfOf(own, jar);
      return form("/auth/signout", [jar.header(), session].filter(Boolean).join("; "), { csrfToken });
    };
    const lines = (await app.handle(await prepare())).headers.getSetCookie().join("\n");
    assert.match(lines, /session-token=;[^\n]*max-age=0/i, `${library} clears the cookie`);
    return { call: app.handle, prepare };
  },
});

/** `make` gets the app and answers with `{ call, prepare }`; `form` if a call sends one. */
const acting = (name, goal, make, { form = false, ...options } = {}) => ({
  name,
  goal,
  form,
  contend: async (library, create) => make(await create(options), library),
});

async function startOf(app, jar) {
  const csrfToken = await csrfOf(app, jar);
  return form("/auth/signin/op", jar.header(), { csrfToken, callbackUrl: `${origin}/` });
}

async function checkStart(app, library) {
  const response = await app.handle(await startOf(app, new CookieJar()));
  const location = new URL(response.headers.get("location"), origin);
  assert.equal(location.host, "op.example.com", `${library} leads to the provider`);
}

/** From the form to the session: start, callback, token, userinfo. */
async function oauthSignIn(app, { jar, start }) {
  const response = jar.keep(await app.handle(start));
  const state = new URL(response.headers.get("location")).searchParams.get("state");
  return jar.keep(
    await app.handle(request(`/auth/callback/op?code=a-code&state=${encodeURIComponent(state ?? "")}`, jar.header())),
  );
}

/** In the order of the table. */
export const rows = [
  reading("session read in server code, nothing due", 2),
  reading("the same token again", 0.6, { tokenCache: 1024 * 1024 }),
  reading("GET session, nothing due", 2, {}, { path: "/auth/session", as: "handle" }),
  reading("GET session, renewed", 2, { renew: true }, { path: "/auth/session", as: "handle" }),
  reading("6 kB session in chunks", 2, { claims: claimsOf(4_400) }),
  reading("12 kB session in chunks", 2, { claims: claimsOf(8_800) }),
  acting("read without a cookie", 1.3, async (app) => ({
    call: app.readToken ?? app.read,
    prepare: () => request(PAGE),
  })),
  acting("csrf token made", 2, async (app) => ({ call: app.handle, prepare: () => request("/auth/csrf") })),
  acting("csrf token kept", 1.5, async (app) => {
    const jar = new CookieJar();
    await csrfOf(app, jar);
    return { call: app.handle, prepare: () => request("/auth/csrf", jar.header()) };
  }),
  acting(
    "OAuth start",
    2,
    async (app, library) => {
      await checkStart(app, library);
      return { call: app.handle, prepare: () => startOf(app, new CookieJar()) };
    },
    { form: true },
  ),
  acting(
    "credentials sign-in, whole",
    2.5,
    async (app) => {
      await signIn(app);
      return { call: () => signIn(app), prepare: () => undefined };
    },
    { form: true },
  ),
  acting(
    "OAuth sign-in, whole",
    5,
    async (app, library) => {
      const prepare = async () => {
        const jar = new CookieJar();
        return { jar, start: await startOf(app, jar) };
      };
      const call = (prepared) => oauthSignIn(app, prepared);
      const lines = (await call(await prepare())).headers.getSetCookie().join("\n");
      assert.match(lines, /session-token=ey/, `${library} signs in`);
      return { call, prepare };
    },
    { form: true },
  ),
  databaseReading("database session read", 2, {}),
  databaseReading("database session due", 2, { renew: true }),
  signingOut("sign-out, cookie", 2.5, false),
  signingOut("sign-out, database", 2.5, true),
  reading("configuration as a function", 4, { perRequest: true }, { path: "/auth/session", as: "handle" }),
];
