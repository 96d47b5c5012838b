/** Section 3 with a database: a fault before and after every call of every flow, then the same again without it. */

import type { Provider } from "@cardea/core/providers";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { assertRows } from "../../../testing/src/long-form.ts";
import { everyCall, FAULTS, groupOf, namesOf } from "../harness/every-call.ts";
import { BASE, type Case, COOKIE, setUp } from "../harness/harness.ts";

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

const FLOWS = {
  "R01 R03 R04 R18 H320 H322 OAuth sign-in of a new user": {
    act: signInByOAuth,
    rows: { users: 1, accounts: 1 },
  },
  "OAuth sign-in of a known user": {
    prepare: async (app) => {
      await signInByOAuth(app);
      await signOut(app);
    },
    act: signInByOAuth,
    rows: { users: 1, accounts: 1 },
  },
  "R38 R39 R41 H321 opening the link of a new address": {
    prepare: askForMail,
    act: openLink,
    rows: { users: 1, accounts: 0 },
  },
  "opening the link of a known address": {
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
} satisfies Record<string, Flow>;

/** The methods of the database that an action calls when none of them fails. */
async function methodsOf(name: keyof typeof FLOWS, setting: Setting): Promise<string[]> {
  const flow: Flow = FLOWS[name];
  const app = start(setting);
  await flow.prepare?.(app);
  const before = app.memory.calls.length;
  await flow.act(app);
  const methods = app.memory.calls.slice(before).map(({ method }) => method);
  await app.end();
  return methods;
}

const hasSession = (app: Application) => app.browser.cookies.get(COOKIE.session) !== undefined;

describe("adapter failures", () => {
  it("R11 P1 P2 P7: every call once; the next try succeeds", { timeout: 600_000 }, async () => {
    const rows = await everyCall(namesOf(FLOWS), SETTINGS, methodsOf);
    await assertRows(rows, groupOf, async ({ flow: name, call, fault, ...setting }) => {
      const flow: Flow = FLOWS[name];
      const app = start(setting);
      await flow.prepare?.(app);
      app.memory.fail({ ...FAULTS[fault], call });
      await flow.act(app);
      app.memory.heal();
      for (let tries = 0; tries < 3 && !hasSession(app); tries++) await flow.act(app);
      const { users, accounts } = app.memory.snapshot();
      expect({ users: users.length, accounts: accounts.length }).toEqual(flow.rows);
      expect(await app.session()).toMatchObject({ user: { email: users[0]?.email } });
      const created = app.eventNames().filter((event) => event === "createUser");
      expect(created.length, "createUser events").toBeLessThanOrEqual(1);
      await app.end();
    });
  });

  it.each(["jwt", "database"] as const)(
    "a process that ends at any call leaves nothing in the way of the next one (%s)",
    { timeout: 600_000 },
    async (strategy) => {
      for (const name of namesOf(FLOWS)) {
        const flow: Flow = FLOWS[name];
        const setting = { strategy, atOnce: true };
        const methods = await methodsOf(name, setting);
        for (const [place, method] of methods.entries()) {
          const app = start(setting);
          await flow.prepare?.(app);
          // From here on no call is carried out, not even those that take back what was written.
          app.memory.fail({
            throws: new Error("the process has ended"),
            call: place + 1,
            times: Number.POSITIVE_INFINITY,
          });
          await flow.act(app);
          app.memory.heal();
          for (let tries = 0; tries < 3 && !hasSession(app); tries++) await flow.act(app);
          const { users, accounts } = app.memory.snapshot();
          const found = { name, method, users: users.length, accounts: accounts.length };
          expect(found).toEqual({ name, method, ...flow.rows });
          expect(await app.session()).toMatchObject({ user: { email: users[0]?.email } });
          await app.end();
        }
      }
    },
  );

  it("a process that ends between a user and the account leaves the user, where the adapter needs two calls", async () => {
    const app = start({ strategy: "jwt", atOnce: false });
    app.memory.fail({ throws: new Error("the process has ended"), method: "linkAccount" });
    app.memory.fail({ throws: new Error("the process has ended"), method: "deleteUser" });
    await signInByOAuth(app);
    app.memory.heal();
    const { users, accounts } = app.memory.snapshot();
    expect([users.length, accounts.length, hasSession(app)]).toEqual([1, 0, false]);
    await signInByOAuth(app);
    expect(hasSession(app)).toBe(false);
  });

  it.each(["jwt", "database"] as const)(
    "an account that was written although its answer was lost signs its user in at once (%s)",
    async (strategy) => {
      const app = start({ strategy, atOnce: false });
      app.memory.fail({ throws: new Error("lost"), when: "after", method: "linkAccount" });
      await signInByOAuth(app);
      const { users, accounts } = app.memory.snapshot();
      expect(hasSession(app)).toBe(true);
      expect(accounts.map(({ userId }) => userId)).toEqual(users.map(({ id }) => id));
      expect(users).toHaveLength(1);
    },
  );
});
