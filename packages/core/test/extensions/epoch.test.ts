/** What stands for an earlier proof ends with the user's epoch: each cell of the table in docs/session-control.md, over HTTP. */
import { readFileSync } from "node:fs";
import { attempts } from "@cardea/attempts";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { Password, type PasswordMail, scrypt } from "@cardea/providers-password";
import { secondFactor, secondFactorOf } from "@cardea/second-factor";
import { sessions, sessionsOf } from "@cardea/sessions";
import { type Browser, createBrowser, createClock, createMemoryAdapter, totpCode } from "@cardea/testing";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { isLong } from "../../../testing/src/long-form.ts";

const ORIGIN = "https://app.example.com";
const ANN = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: new Date(0), image: null };
const STRATEGIES = ["jwt", "database"] as const;
const [PASSWORD, OTHER] = ["purple monkey sings", "quiet river under stones"];

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** An application whose user Ann has a password, two authenticator apps and recovery codes. */
async function start(strategy: "jwt" | "database") {
  const clock = createClock(Math.floor(Date.now() / 30_000) * 30_000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const hash = scrypt({ N: 2 ** 10 });
  const memory = createMemoryAdapter({ keepIds: true, seed: { users: [ANN] } });
  const row = { userId: "ann", type: "password", createdAt: new Date(0), state: {} };
  await memory.adapter.createCredential?.({ ...row, secret: await hash.hash(PASSWORD) });
  const mails: PasswordMail[] = [];
  const works: Promise<void>[] = [];
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    session: { strategy },
    adapter: memory.adapter,
    store: memoryStore({ instances: 1 }),
    extensions: [
      sessions({ revocation: { check: "each" } }),
      secondFactor({ require: () => "always" }),
      attempts({ limits: { signin: "4/10m/account", factor: "", reset: "" } }),
    ],
    providers: [
      Password({
        hash,
        breached: false,
        after: (work) => void works.push(work),
        mail: (mail) => void mails.push(mail),
      }),
    ],
  });
  const handler = (request: Request) => (request.method === "POST" ? auth.handlers.POST : auth.handlers.GET)(request);
  const open = () => person(createBrowser(handler, { origin: ORIGIN, now: clock.now }));
  const known = { email: ANN.email, password: PASSWORD, secret: "" };
  /** A code that was not used: each counts once. */
  const code = async () => {
    clock.advance({ seconds: 31 });
    return totpCode(known.secret, clock.now());
  };
  const begin = async (user: Person) =>
    user.send("callback/password", { email: known.email, password: known.password });
  const prove = async (user: Person, fields = {}) => user.send("factor/totp", { code: await code(), ...fields });
  const signIn = async (user: Person, fields = {}) => {
    await begin(user);
    await prove(user, fields);
    return user;
  };
  const askReset = async (user: Person) => {
    await user.send("reset/password", { email: known.email });
    await Promise.all(works);
    return new URL(mails.at(-1)?.url ?? "about:blank").searchParams.get("token") ?? "";
  };
  const mayChoose = async () => {
    const user = open();
    await user.send("reset/password", { token: await askReset(user) });
    await prove(user);
    return user;
  };
  return { auth, memory, clock, known, open, begin, prove, signIn, askReset, mayChoose };
}

type App = Awaited<ReturnType<typeof start>>;
type Person = ReturnType<typeof person>;

function person(browser: Browser) {
  const json = { accept: "application/json" };
  const read = async (path: string) => (await browser.fetch(`/auth/${path}`, { headers: json })).json();
  const send = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const { csrfToken } = await read("csrf");
    const headers = { "x-auth-return-redirect": "1" };
    const body = new URLSearchParams({ csrfToken, ...fields });
    const answer = await browser.fetch(`/auth/${path}`, { method: "POST", body, headers });
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const isIn = async () => (await read("session")) !== null;
  return { browser, read, send, isIn };
}

/** Enrols two authenticator apps. The second one is used from then on. */
async function enrol(app: App) {
  const user = app.open();
  await app.begin(user);
  const { enrol } = await user.read("factor");
  const confirmed = { step: "confirm", setup: enrol.setup, code: await totpCode(enrol.secret, app.clock.now()) };
  const { recoveryCodes } = await user.send("factor/totp", confirmed);
  const second = Object((await user.send("factors/totp", { step: "begin" })).enrol);
  const again = { step: "confirm", setup: second.setup, code: await totpCode(second.secret, app.clock.now()) };
  await user.send("factors/totp", again);
  app.known.secret = second.secret;
  return { user, recoveryCode: String(recoveryCodes?.[0]) };
}

/** What stands for a proof: each is made in a browser of its own, and tells later whether it still counts. */
type Artefact = (app: App, recoveryCode: string) => Promise<() => Promise<boolean>>;

const ARTEFACTS: Readonly<Record<string, Artefact>> = {
  sessions: async (app) => (await app.signIn(app.open())).isIn,
  "pending sign-ins": async (app) => {
    const user = app.open();
    await app.begin(user);
    return async () => {
      await app.prove(user);
      return user.isIn();
    };
  },
  "remembered browsers": async (app) => {
    const user = await app.signIn(app.open(), { browser: "remember" });
    await user.send("signout");
    return async () => {
      await app.begin(user);
      return user.isIn();
    };
  },
  "permission to choose a password": async (app) => {
    const user = await app.mayChoose();
    return async () => {
      const page = await (await user.browser.navigate("/auth/reset/password?step=choose")).text();
      return page.includes("new-password");
    };
  },
  "reset links": async (app) => {
    const token = await app.askReset(app.open());
    return async () => {
      const { url = "" } = await app.open().send("reset/password", { token });
      return !url.includes("invalid-link");
    };
  },
  "recovery codes": async (app, recoveryCode) => async () => {
    const user = app.open();
    await app.begin(user);
    await user.send("factor/recovery", { code: recoveryCode });
    return user.isIn();
  },
  "known devices": async (app) => {
    const user = await app.signIn(app.open());
    await user.send("signout");
    return async () => {
      const stranger = app.open();
      for (let n = 0; n < 5; n++) await stranger.send("callback/password", { email: app.known.email, password: "no" });
      const { url = "" } = await app.begin(user);
      return !url.includes("too_many_attempts");
    };
  },
};

/** Prepares an event, which the returned function carries out. */
type Event = (app: App) => Promise<() => Promise<unknown>>;

/** An event in a session of the user's own, which has to survive it. */
const inSession =
  (open: (app: App) => Promise<Person>, act: (app: App, user: Person) => Promise<unknown>): Event =>
  async (app) => {
    const user = await open(app);
    return async () => {
      await act(app, user);
      expect(await user.isIn(), "the session in which it happens goes on").toBe(true);
    };
  };

const signedIn = (app: App) => app.signIn(app.open());

const EVENTS: Readonly<Record<string, Event>> = {
  "password reset": inSession(
    (app) => app.mayChoose(),
    async (app, user) => {
      await user.send("reset/password", { password: OTHER });
      app.known.password = OTHER;
    },
  ),
  "password changed or added": inSession(signedIn, async (app, user) => {
    await user.send("password/change", { current: PASSWORD, password: OTHER });
    app.known.password = OTHER;
  }),
  "all sessions ended": async (app) => {
    const user = await signedIn(app);
    return () => user.send("sessions", { end: "all" });
  },
  "all other sessions ended": inSession(signedIn, (_app, user) => user.send("sessions", { end: "others" })),
  "user blocked": async (app) => async () => {
    const { block, unblock } = sessionsOf(app.auth);
    await block("ann");
    await unblock("ann");
  },
  "factor removed": inSession(signedIn, async (_app, user) => {
    const { totp } = await user.read("factors");
    await user.send("factors/totp", { step: "remove", id: totp[0].id });
    expect((await user.read("factors")).totp).toHaveLength(1);
  }),
  "factors reset": async (app) => () => secondFactorOf(app.auth).reset("ann", { by: "admin" }),
  "address changed": async (app) => async () => {
    app.known.email = "new@example.com";
    await app.memory.adapter.updateUser?.({ id: "ann", email: app.known.email, emailVerified: new Date() });
    await sessionsOf(app.auth).endAll("ann");
  },
  "one session ended": async (app) => {
    const user = await signedIn(app);
    const all: { sessions: { id: string; current: boolean }[] } = await user.read("sessions");
    const id = all.sessions.find(({ current }) => current)?.id ?? "";
    return () => sessionsOf(app.auth).end(id);
  },
};

/** The table of the documentation: by event and artefact, whether it stays. */
function readTable(): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  const page = readFileSync(new URL("../../../../docs/session-control.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## What each event ends");
  const lines = (section.split("\n\n").find((part) => part.startsWith("| event |")) ?? "").split("\n");
  const [head = [], , ...rows] = lines.map((line) => line.split("|").map((cell) => cell.trim()));
  return new Map(
    rows.map(([, event = "", ...cells]) => {
      const named = cells.map((cell, n): [string, string] => [head[n + 2] ?? "", cell]);
      return [event, new Map(named.filter(([name]) => name !== "").map(([name, cell]) => [name, cell === "stays"]))];
    }),
  );
}

const table = readTable();

describe("the epoch of a user", () => {
  it("has a row for each event and a column for each artefact", () => {
    expect([...table.keys()].sort()).toEqual(Object.keys(EVENTS).sort());
    for (const row of table.values()) expect([...row.keys()].sort()).toEqual(Object.keys(ARTEFACTS).sort());
  });

  const orders = fc.shuffledSubarray(Object.keys(ARTEFACTS), { minLength: Object.keys(ARTEFACTS).length });
  const cases = [...table].flatMap(([event, row]) => STRATEGIES.map((strategy) => [event, strategy, row] as const));

  it.each(cases)("%s, %s sessions: ends what the table says, whatever was made first", async (event, strategy, row) => {
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const app = await start(strategy);
        const { recoveryCode } = await enrol(app);
        const act = (await EVENTS[event]?.(app)) ?? (async () => {});
        const made = new Map<string, () => Promise<boolean>>();
        // A link is void once another one was used: what uses one comes first.
        const sorted = [...order].sort((a, b) => Number(a === "reset links") - Number(b === "reset links"));
        for (const name of sorted) made.set(name, (await ARTEFACTS[name]?.(app, recoveryCode)) ?? (async () => false));
        await act();
        const counts: Record<string, boolean> = {};
        // In this order: strangers who try passwords, as for the last one, keep every other browser out.
        for (const name of Object.keys(ARTEFACTS)) counts[name] = (await made.get(name)?.()) === true;
        expect(counts).toEqual(Object.fromEntries(row));
      }),
      { numRuns: isLong ? 10 : 1 },
    );
  });
});
