/** An invited user is handed over to the owner of the address while anyone who holds a session of that user adds ways in. */

import type { Adapter } from "@cardea/core/adapters";
import { Passkey } from "@cardea/providers-webauthn";
import {
  type Browser,
  createAuthenticator,
  createBrowser,
  createMemoryAdapter,
  type MemoryAdapter,
} from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { isLong } from "../../../testing/src/long-form.ts";
import { secondProvider } from "../harness/database-app.ts";
import { BASE, COOKIE, cookieHeader, ORIGIN } from "../harness/harness.ts";
import { createDraw, type Draw, interleave, yieldTurns } from "../harness/interleave.ts";
import { type PasskeyCase, setUpPasskeys } from "../harness/passkey-app.ts";
import { ADDRESS, holderOf } from "../harness/planted.ts";

/** Orders that are tried; more of them take longer, and are tried by raising this number. */
const SEEDS = isLong ? 6 : 2;

type Op = ReturnType<typeof secondProvider>;

/** What a version of the rule does differently, for the controls. */
type Rule = (adapter: Adapter) => Adapter;

/** An application without passwords, whose sessions are rows: one that hands invited users over. */
function start(memory: MemoryAdapter, op: Op, adapter: Adapter) {
  const mails: string[] = [];
  const sendVerificationRequest = ({ url }: { url: string }) => void mails.push(url);
  const email = { id: "email", name: "E-mail", type: "email", sendVerificationRequest } as const;
  const providers = [Passkey(), email, op.provider];
  const app = setUpPasskeys({ memory, routes: op.routes, alsoTo: [op.op.issuer], config: { adapter, providers } });
  return { ...app, mails };
}

function defer(): [promise: Promise<void>, resolve: () => void] {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return [promise, () => resolve()];
}

/** One sign-in at the provider that was begun: the way back. */
async function begin(browser: Browser, { op }: Op, user: Op["op"]["user"]): Promise<string> {
  op.user = user;
  const page = await browser.navigate(`${BASE}/signin`);
  const begun = await browser.submit(page, { action: `${BASE}/signin/op2` });
  return `${(await op.authorize(begun.redirectsTo ?? "")).url}`;
}

/** Signs in or answers as soon as the row it takes is there, and gives up after a while. */
async function once(found: () => boolean, draw: Draw, run: () => Promise<unknown>): Promise<unknown> {
  for (let turns = 0; turns < 60; turns++) {
    if (found()) return run();
    await yieldTurns(1 + draw(2));
  }
  return null;
}

/** Accounts and a passkey to be added by a session of the planter's, and a sign-in with each from another browser. */
async function prepare(planter: PasskeyCase, { op, memory, draw }: { op: Op; memory: MemoryAdapter; draw: Draw }) {
  const attacks: (() => Promise<unknown>)[] = [];
  for (let n = 0; n < 3; n++) {
    const user = { sub: `late-${n}`, email: `late-${n}@evil.example`, email_verified: true };
    const link = await begin(planter.browser, op, user);
    attacks.push(() => planter.browser.tab().navigate(link));
    const outside = createBrowser(planter.visit, { origin: ORIGIN, routes: op.routes });
    const signIn = await begin(outside, op, user);
    const isLinked = () => memory.snapshot().accounts.some(({ providerAccountId }) => providerAccountId === user.sub);
    attacks.push(() => once(isLinked, draw, () => outside.navigate(signIn)));
  }
  const authenticator = createAuthenticator();
  const data = await authenticator.create({ ...(await planter.options("action=register")), excludeCredentials: [] });
  attacks.push(() => planter.answer("register", data));
  return attacks;
}

/** The database as a process sees it that ends after so many calls: none of the later ones is carried out. */
function endingAfter(calls: number, adapter: Adapter): Adapter {
  let left = calls;
  const counted = Object.entries(adapter).map(([name, method]: [string, unknown]) => {
    const call = async (...args: unknown[]) => {
      left -= 1;
      if (left < 0) throw new Error("the process has ended");
      return Reflect.apply(Object(method), adapter, args);
    };
    return [name, typeof method === "function" ? call : method];
  });
  // The same names and signatures.
  return Object.fromEntries(counted) as Adapter;
}

/** @param endsAfter calls of the link's process; then the owner opens another link, at another process. */
async function race(seed: number, rule: Rule = (adapter) => adapter, endsAfter?: number) {
  const memory = createMemoryAdapter();
  const op = secondProvider();
  const draw = createDraw(seed);
  const [looking, looks] = defer();
  const slow = rule(interleave(memory.adapter, draw));
  const listAuthenticatorsByUserId: Adapter["listAuthenticatorsByUserId"] = (userId) => {
    looks();
    return slow.listAuthenticatorsByUserId?.(userId) ?? [];
  };
  // With every other seed a slow write, in which anyone who adds something is done.
  const updateUser: Adapter["updateUser"] = async (user) => {
    await yieldTurns(seed % 2 === 0 ? draw(80) : 0);
    return slow.updateUser?.(user) ?? memory.adapter.updateUser(user);
  };
  const adapter: Adapter = { ...slow, listAuthenticatorsByUserId, updateUser };
  const planter = start(memory, op, adapter);
  const mallory = { sub: "mallory", name: "Mallory", email: ADDRESS, email_verified: false };
  await planter.browser.navigate(await begin(planter.browser, op, mallory));
  const attacks = await prepare(planter, { op, memory, draw });
  await memory.adapter.unlinkAccount({ provider: "op2", providerAccountId: "mallory" });
  const id = holderOf(memory)?.id ?? "";
  const owner = start(memory, op, adapter);
  await owner.post(`${BASE}/signin/email`, { email: ADDRESS, callbackUrl: "/dash" });
  const racing = attacks.map(async (attack) => {
    await looking;
    await yieldTurns(draw(25));
    return attack();
  });
  const link = owner.mails.at(-1) ?? "";
  // A session that it stores is the owner's, whether or not the owner hears of it.
  const stored: string[] = [];
  const createSession: Adapter["createSession"] = async (session) => {
    stored.push(session.sessionToken);
    return slow.createSession?.(session) ?? session;
  };
  const until = endsAfter === undefined ? undefined : endingAfter(endsAfter, { ...adapter, createSession });
  const ending = until && start(memory, op, until);
  if (ending !== undefined) await ending.send(link, { headers: { cookie: cookieHeader(owner.browser) } });
  const first = ending === undefined ? await owner.browser.navigate(link) : undefined;
  await Promise.all(racing);
  if (first === undefined) await owner.post(`${BASE}/signin/email`, { email: ADDRESS, callbackUrl: "/dash" });
  const opened = first ?? (await owner.browser.navigate(owner.mails.at(-1) ?? ""));
  const { accounts, sessions } = memory.snapshot();
  const ofRow = ({ userId }: { readonly userId: string }) => userId === id;
  const own = [owner.browser.cookies.get(COOKIE.session)?.value, ...stored];
  return {
    isHandedOver: opened.redirectsTo === `${ORIGIN}/dash`,
    isAsked: opened.redirectsTo === `${ORIGIN}${BASE}/confirm-address`,
    isProven: holderOf(memory)?.emailVerified instanceof Date,
    waysIn: accounts.filter(ofRow).length,
    foreignSessions: sessions.filter(ofRow).filter(({ sessionToken }) => !own.includes(sessionToken)).length,
  };
}

const isSafe = ({ isHandedOver, isAsked, isProven, waysIn, foreignSessions }: Awaited<ReturnType<typeof race>>) =>
  isHandedOver ? isProven && waysIn === 0 && foreignSessions === 0 : isAsked && !isProven;

/** The rule without its second look: what was linked since the first one is not seen. */
const lookOnce: Rule = (adapter) => {
  let isEnded = false;
  return {
    ...adapter,
    deleteSessionsByUserId: async (userId) => {
      isEnded = true;
      await adapter.deleteSessionsByUserId?.(userId);
    },
    listAccountsByUserId: async (userId) => (isEnded ? [] : ((await adapter.listAccountsByUserId?.(userId)) ?? [])),
  };
};

/** The rule without the second look of anyone who adds a way in: what was stored stays. */
const neverUndo: Rule = (adapter) => ({ ...adapter, unlinkAccount: () => undefined });

describe("an invited user whom the holder of a session adds ways in to while the owner proves the address", () => {
  it("is handed over with nothing of theirs, or the owner is asked", async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = await race(seed);
      expect(isSafe(outcome), `seed ${seed}: ${JSON.stringify(outcome)}`).toBe(true);
    }
  });

  it("is safe when the process of the owner's link ends at any moment of it", async () => {
    for (let seed = 1; seed <= SEEDS * 2; seed++) {
      const endsAfter = 3 + ((seed * 5) % 16);
      const outcome = await race(seed, undefined, endsAfter);
      expect(isSafe(outcome), `seed ${seed}, ${endsAfter} calls: ${JSON.stringify(outcome)}`).toBe(true);
    }
  });

  // The first seed that showed it. About one in a hundred does, and which one depends on the order of calls.
  it.each([
    ["the owner's side looks once", lookOnce, 2],
    ["the adding side does not look again", neverUndo, 84],
  ])("is not safe in this race under a rule in which %s", async (_name, rule, first) => {
    let isFound = false;
    for (let seed = first; seed < first + 1_000 && !isFound; seed++) isFound = !isSafe(await race(seed, rule));
    expect(isFound).toBe(true);
  });
});
