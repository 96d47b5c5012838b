// Copies of session cookies after their sign-out: how many are still answered with their user, here and by other libraries.
//
//   node replay-after-sign-out.mjs                 a thousand of each, in batches of a hundred
//   node replay-after-sign-out.mjs --count 100
//
// Each library is two instances of one application, as two processes have it, which share what the library shares: a store, a database or
// nothing. Users sign in and out on the first; the copies are tried on both.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { credentialsProvider, form, month, origin, request, secret, user } from "./application.mjs";
import { CookieJar } from "./browser.mjs";
import { createAuthJs } from "./contenders/auth-js.mjs";
import { areInstalled, load } from "./rows/peers.mjs";

const { values } = parseArgs({ options: { count: { type: "string", default: "1000" } } });
const COUNT = Number(values.count);
const BATCH = Math.min(100, COUNT);

/** `revocation.every` of sessions(), and a margin. */
const BOUND = 2_200;

/** Later moments, in seconds after the bound: past the age of a cookie cache, and a day before a session ends by itself. */
const LATER = { "after 6 minutes": 360, "after 29 days": 29 * 86_400 };

const RealDate = Date;
let shift = 0;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shift] : given));
  }
  static now = () => RealDate.now() + shift;
};

/** Both use the forms of Auth.js. */
function byForms(handle) {
  const csrfOf = async (jar) => (await jar.keep(await handle(request("/auth/csrf", jar.header()))).json()).csrfToken;
  return {
    signIn: async () => {
      const jar = new CookieJar();
      const fields = { csrfToken: await csrfOf(jar), username: "ann", password: "correct" };
      jar.keep(await handle(form("/auth/callback/credentials", jar.header(), fields)));
      return jar;
    },
    signOut: async (jar) => {
      const answer = await handle(form("/auth/signout", jar.header(), { csrfToken: await csrfOf(jar) }));
      assert.equal(answer.status, 302);
    },
    read: async (cookies) => (await (await handle(request("/auth/session", cookies))).json())?.user?.email,
  };
}

const libraries = {
  "Cardea with `sessions()`": async () => {
    const store = memoryStore({ instances: 1 });
    const logger = { error: console.error, warn: () => undefined, debug: () => undefined };
    return [1, 2].map(() => {
      const extensions = [sessions()];
      const providers = [credentialsProvider];
      const { handlers } = createAuth({
        secret,
        trustHost: true,
        basePath: "/auth",
        logger,
        providers,
        store,
        extensions,
      });
      return byForms((given) => handlers[given.method](given));
    });
  },
  "Auth.js, strategy `jwt`": async () => [1, 2].map(async () => byForms((await createAuthJs()).handle)),
  "better-auth, cookie cache": async () => {
    const { betterAuth } = await load("better-auth");
    const { memoryAdapter } = await load("better-auth/adapters/memory");
    const tables = { user: [], session: [], account: [], verification: [] };
    let users = 0;
    return [1, 2].map(() => {
      const auth = betterAuth({
        secret,
        baseURL: origin,
        database: memoryAdapter(tables),
        emailAndPassword: { enabled: true },
        session: { expiresIn: month, cookieCache: { enabled: true } },
        rateLimit: { enabled: false },
        telemetry: { enabled: false },
      });
      const headers = { "content-type": "application/json", origin };
      return {
        signIn: async () => {
          const jar = new CookieJar();
          const body = JSON.stringify({
            email: `${users++}@example.com`,
            name: user.name,
            password: "correct horse battery",
          });
          jar.keep(await auth.handler(request("/api/auth/sign-up/email", "", { method: "POST", headers, body })));
          return jar;
        },
        signOut: async (jar) => {
          const given = request("/api/auth/sign-out", jar.header(), { method: "POST", headers, body: "{}" });
          assert.equal((await auth.handler(given)).status, 200);
        },
        read: async (cookies) => (await auth.api.getSession({ headers: request("/", cookies).headers }))?.user.email,
      };
    });
  },
  "iron-session": async () => {
    const { getIronSession } = await load("iron-session");
    const options = { password: secret, cookieName: "iron", ttl: month };
    return [1, 2].map(() => ({
      signIn: async () => {
        const [jar, answer] = [new CookieJar(), new Response()];
        const session = await getIronSession(request("/"), answer, options);
        Object.assign(session, { user });
        await session.save();
        jar.keep(answer);
        return jar;
      },
      signOut: async (jar) => (await getIronSession(request("/", jar.header()), new Response(), options)).destroy(),
      read: async (cookies) => (await getIronSession(request("/", cookies), new Response(), options)).user?.email,
    }));
  },
};

/** How many of these cookies are answered with a user. */
async function alive(instance, copies) {
  let count = 0;
  for (const copy of copies) if ((await instance.read(copy)) !== undefined) count += 1;
  return count;
}

const moments = ["at once, same process", "at once, other process", "after 2.2 s", ...Object.keys(LATER)];
console.log(`| of ${COUNT} copies alive | ${moments.join(" | ")} |\n|---|${moments.map(() => "---|").join("")}`);
for (const [name, create] of Object.entries(libraries)) {
  if (!areInstalled && name !== Object.keys(libraries)[0]) continue;
  const [one, other] = await Promise.all(await create());
  const counts = Object.fromEntries(moments.map((moment) => [moment, 0]));
  for (let done = 0; done < COUNT; done += BATCH) {
    shift = 0;
    const jars = [];
    for (let n = 0; n < BATCH; n += 1) jars.push(await one.signIn());
    const copies = jars.map((jar) => jar.header());
    assert.equal(await alive(other, copies), BATCH, `${name}: every session is open before its sign-out`);
    for (const jar of jars) await one.signOut(jar);
    counts[moments[0]] += await alive(one, copies);
    counts[moments[1]] += await alive(other, copies);
    await pause(BOUND);
    counts[moments[2]] += await alive(other, copies);
    for (const [moment, seconds] of Object.entries(LATER)) {
      shift = 1000 * seconds;
      counts[moment] += await alive(other, copies);
    }
  }
  console.log(`| ${name} | ${Object.values(counts).join(" | ")} |`);
}
process.exit();
