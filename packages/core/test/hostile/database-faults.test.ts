/** Section 3 with a database: a fault before and after every call of every flow, then the same again without it. */

import type { Provider } from "@cardea/core/providers";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { share } from "../../../testing/src/long-form.ts";
import { BASE, type Case, COOKIE, setUp } from "../harness/harness.ts";

const FAULTS = [
  { name: "throws an Error", fault: { throws: new Error("down") } },
  { name: "throws a string", fault: { throws: "down" } },
  { name: "throws null", fault: { throws: null } },
  { name: "throws a frozen Error", fault: { throws: Object.freeze(new Error("down")) } },
  { name: "does it and loses the answer", fault: { throws: new Error("lost"), when: "after" } },
] as const;

interface Application extends Case {
  readonly memory: MemoryAdapter;
  readonly mails: string[];
}

interface Setting {
  readonly strategy: "jwt" | "database";
  /** Whether the adapter makes a user and their account at once, as ours do and those written for Auth.js do not. */
  readonly atOnce: boolean;
}

const SETTINGS: readonly Setting[] = [
  { strategy: "database", atOnce: true },
  { strategy: "database", atOnce: false },
  { strategy: "jwt", atOnce: true },
  { strategy: "jwt", atOnce: false },
];

function start({ strategy, atOnce }: Setting): Application {
  // A row that was written before the answer was lost is recognised by its id alone.
  const memory = createMemoryAdapter({ keepIds: true });
  const { createUserWithAccount: _, ...stepwise } = memory.adapter;
  const adapter = atOnce ? memory.adapter : stepwise;
  const mails: string[] = [];
  const email: Provider = {
    id: "email",
    name: "E-mail",
    type: "email",
    rateLimit: () => true,
    sendVerificationRequest: ({ url }) => void mails.push(url),
  };
  const app = setUp({ config: { adapter, session: { strategy } }, providers: [email], mayFail: true });
  return { ...app, memory, mails };
}

/** A flow: what comes before the faults, and the person's action that is struck and repeated. */
interface Flow {
  readonly name: string;
  readonly prepare?: (app: Application) => Promise<unknown>;
  readonly act: (app: Application) => Promise<unknown>;
  /** Rows when the action has succeeded. */
  readonly rows: { readonly users: number; readonly accounts: number };
}

const signInByOAuth = (app: Application) => app.signInWithOp();
const signOut = async (app: Application) => {
  await app.post(`${BASE}/signout`);
};
const askForMail = (app: Application) => app.post(`${BASE}/signin/email`, { email: "bob@example.com" });
const openLink = async (app: Application) => {
  if (app.mails.length === 0) await askForMail(app);
  const { status, headers } = await app.browser.navigate(app.mails.at(-1) ?? "");
  // A link that was used up leads to asking for a new one, as a person would.
  if (status === 302 && headers.get("location")?.includes("error=Verification")) app.mails.length = 0;
};

const FLOWS: readonly Flow[] = [
  {
    name: "R01 R03 R04 R18 H320 H322 OAuth sign-in of a new user",
    act: signInByOAuth,
    rows: { users: 1, accounts: 1 },
  },
  {
    name: "OAuth sign-in of a known user",
    prepare: async (app) => {
      await signInByOAuth(app);
      await signOut(app);
    },
    act: signInByOAuth,
    rows: { users: 1, accounts: 1 },
  },
  {
    name: "R38 R39 R41 H321 opening the link of a new address",
    prepare: askForMail,
    act: openLink,
    rows: { users: 1, accounts: 0 },
  },
  {
    name: "opening the link of a known address",
    prepare: async (app) => {
      await askForMail(app);
      await openLink(app);
      await signOut(app);
      app.mails.length = 0;
      await askForMail(app);
    },
    act: openLink,
    rows: { users: 1, accounts: 0 },
  },
];

/** How many adapter calls the action makes when nothing fails. */
const counted = new Map<string, Promise<number>>();

/** How many calls of the database an action makes when none of them fails: counted once for all ways to fail. */
function callsOf(flow: Flow, setting: Setting): Promise<number> {
  const name = JSON.stringify([flow.name, setting]);
  const known = counted.get(name) ?? countCalls(flow, setting);
  counted.set(name, known);
  return known;
}

async function countCalls(flow: Flow, setting: Setting): Promise<number> {
  const app = start(setting);
  await flow.prepare?.(app);
  const before = app.memory.calls.length;
  await flow.act(app);
  return app.memory.calls.length - before;
}

const hasSession = (app: Application) => app.browser.cookies.get(COOKIE.session) !== undefined;

// In the short form each call fails in one of the ways for each setting, and in others for the other settings.
describe.each(SETTINGS)("adapter failures with $strategy sessions, users at once: $atOnce", (setting) => {
  describe.each(FLOWS)("$name", (flow) => {
    it.each([...FAULTS.entries()].map(([way, fault]) => ({ way, ...fault })))(
      "R11 P1 P2 P7: every call $name once; the next try succeeds",
      async ({ way, fault }) => {
        const calls = Array.from({ length: await callsOf(flow, setting) }, (_, n) => n + 1);
        expect(calls).not.toEqual([]);
        for (const call of share(calls, FAULTS.length, way + SETTINGS.indexOf(setting))) {
          const app = start(setting);
          await flow.prepare?.(app);
          app.memory.fail({ ...fault, call });
          await flow.act(app);
          app.memory.heal();
          for (let tries = 0; tries < 3 && !hasSession(app); tries++) await flow.act(app);
          const { users, accounts } = app.memory.snapshot();
          expect({ call, users: users.length, accounts: accounts.length }).toEqual({ call, ...flow.rows });
          expect(await app.session(), `the session after a fault in call ${call}`).toMatchObject({
            user: { email: users[0]?.email },
          });
          const created = app.eventNames().filter((name) => name === "createUser");
          expect(created.length, `createUser events after a fault in call ${call}`).toBeLessThanOrEqual(1);
        }
      },
    );
  });
});
