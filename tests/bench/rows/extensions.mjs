// What extensions add to a steady read, in microseconds: the same application with and without them, in turns, on the same token.
import assert from "node:assert/strict";
import { attempts } from "@cardea/attempts";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { credentialsProvider, form, request, secret, user } from "../application.mjs";
import { CookieJar } from "../browser.mjs";
import { inThisProcess, measureInterleaved } from "../measure-interleaved.mjs";

const NAME = "sessions() and attempts(): added to a read, µs";

/** More rounds and calls than of a ratio: what is measured is a hundredth of a read. */
const ROUNDS = { rounds: 120, calls: 256, warmUp: 20 };

/** Yields the row. It has no contenders: what others add to a read is in their own rows. */
export async function* measureRow({ isAsked }) {
  if (!isAsked(NAME)) return;
  const calls = [];
  const store = counted(memoryStore({ instances: 1 }), calls);
  const [plain, extended] = [await signIn({}), await signIn({ store, extensions: [sessions(), attempts()] })];
  calls.length = 0;
  // Each beside itself as well: what is found there is what the machine adds.
  const [, same, added] = await measureInterleaved([plain, plain, extended], ROUNDS);
  const reads = 3 * (ROUNDS.rounds + ROUNDS.warmUp) * ROUNDS.calls;
  const others = calls.filter((name) => name !== "since").length;
  assert.equal(others, 0, "a steady read calls nothing of the store");
  const [of, found] = [same.difference, added.difference].map((one) => one.toFixed(2));
  console.error(
    `${NAME}: ${found} (the same beside itself: ${of}); ${reads / 3} reads, ${calls.length} reads of the log.`,
  );
  yield { name: NAME, floor: "–", ratios: { here: added.difference }, goal: "≤ 1" };
}

/** Every call of a store by its name. */
function counted({ log, ...store }, calls) {
  const spy = (target) => {
    const watched = { ...target };
    for (const [name, call] of Object.entries(target)) {
      if (typeof call !== "function") continue;
      watched[name] = (...args) => {
        calls.push(name);
        return call(...args);
      };
    }
    return watched;
  };
  return { ...spy(store), log: spy(log) };
}

async function signIn(options) {
  const { auth, handlers } = createAuth({
    secret,
    trustHost: true,
    basePath: "/auth",
    logger: { error: console.error, warn: () => undefined, debug: () => undefined },
    providers: [credentialsProvider],
    ...options,
  });
  const jar = new CookieJar();
  const csrf = await jar.keep(await handlers.GET(request("/auth/csrf"))).json();
  const fields = { csrfToken: csrf.csrfToken, username: "ann", password: "correct" };
  const answer = jar.keep(await handlers.POST(form("/auth/callback/credentials", jar.header(), fields)));
  assert.equal(answer.status, 302, "the sign-in is answered with a redirect");
  const cookies = jar.header(/session-token$/);
  assert.equal((await auth(request("/", cookies))).user.email, user.email, "the session is read");
  return inThisProcess({ call: (given) => auth(given), prepare: () => request("/dashboard?tab=1", cookies) });
}
