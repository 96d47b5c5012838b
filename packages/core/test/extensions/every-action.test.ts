/** Every action of every extension while something is away (docs/extensions.md#outages). */

import { account } from "@cardea/account";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import type { AuthConfig } from "@cardea/core/types";
import { logout } from "@cardea/logout";
import { Password, scrypt } from "@cardea/providers-password";
import { secondFactor } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { createBrowser, createMemoryAdapter, type Visit } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLong, pairs } from "../../../testing/src/long-form.ts";

const ORIGIN = "https://app.example.com";
const ANN = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };
const SECRET = "a secret of more than thirty-two bytes for tests";

/** At least one request for each action; `{}` stands for no fields. */
const REQUESTS: readonly {
  readonly action: string;
  readonly path: string;
  readonly fields?: Record<string, string>;
}[] = [
  { action: "GET sessions", path: "sessions" },
  { action: "POST sessions", path: "sessions", fields: { end: "others" } },
  { action: "POST sessions", path: "sessions", fields: { end: "all" } },
  { action: "GET account", path: "account" },
  { action: "GET account", path: "account/data" },
  { action: "GET account", path: "account/confirm?token=unknown-token-of-a-link-that-is-long" },
  { action: "POST account", path: "account/profile", fields: { name: "Ann" } },
  { action: "POST account", path: "account/email", fields: { email: "ann@new.example" } },
  { action: "POST account", path: "account/unlink", fields: { password: "remove" } },
  { action: "POST account", path: "account/undo", fields: { token: "unknown-token-of-a-link-that-is-long" } },
  { action: "GET factor", path: "factor?callbackUrl=/inside" },
  { action: "POST factor", path: "factor/totp", fields: { code: "000000" } },
  { action: "GET factors", path: "factors" },
  { action: "POST factors", path: "factors/totp", fields: { step: "begin" } },
  { action: "GET step-up", path: "step-up?level=settings&callbackUrl=/inside" },
  { action: "POST step-up", path: "step-up/oidc", fields: { level: "settings", callbackUrl: "/inside" } },
  { action: "GET signedout", path: "signedout/op?state=none" },
  { action: "GET frontchannel", path: "frontchannel/op?iss=https://op.example.com&sid=1" },
  { action: "POST backchannel", path: "backchannel/op", fields: { logout_token: "none" } },
  { action: "GET register", path: "register/password" },
  {
    action: "POST register",
    path: "register/password",
    fields: { email: "bo@example.com", password: "purple monkey sings" },
  },
  { action: "GET reset", path: "reset/password" },
  { action: "POST reset", path: "reset/password", fields: { email: ANN.email } },
  { action: "GET password", path: "password" },
  { action: "POST password", path: "password/add", fields: { password: "purple monkey sings" } },
];

const FORMATS = {
  json: { accept: "application/json" },
  script: { accept: "*/*", "x-auth-return-redirect": "1" },
  page: { accept: "text/html,*/*;q=0.8" },
} as const;
type Format = keyof typeof FORMATS;

/** Which calls of the store and the database fail: from the `from`-th on so many. */
interface Fault {
  readonly from: number;
  readonly calls: number;
}

const NEVER: Fault = { from: Number.POSITIVE_INFINITY, calls: 0 };

function createFaults() {
  let fault = NEVER;
  let seen = 0;
  const wrap = <T extends object>(inner: T): T =>
    new Proxy(inner, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (name === "log" && typeof member === "object" && member !== null) return wrap(member);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          seen += 1;
          const fails = seen >= fault.from && seen < fault.from + fault.calls;
          return fails ? Promise.reject(new Error("away: 10.0.0.7")) : Reflect.apply(member, target, args);
        };
      },
    });
  const set = (next: Fault) => {
    fault = next;
    seen = 0;
  };
  return { wrap, set, seen: () => seen };
}

async function start(strategy: "jwt" | "database") {
  const faults = createFaults();
  const { store: _own, ...adapter } = createMemoryAdapter({ keepIds: true, seed: { users: [ANN] } }).adapter;
  const extensions = [
    sessions({ revocation: { check: "each" } }),
    secondFactor(),
    stepUp({ settings: { within: "15m" } }),
    logout({ backchannel: true, frontchannel: true }),
    account({ mail: () => undefined }),
  ];
  const password = Password({ hash: scrypt({ N: 2 ** 10 }), breached: false, mail: () => undefined });
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    session: { strategy },
    adapter: faults.wrap(adapter),
    store: faults.wrap(memoryStore({ instances: 1 })),
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    extensions,
    providers: [
      password,
      {
        ...{ id: "demo", name: "Demo", type: "credentials", credentials: { username: {} } },
        authorize: () => ({ ...ANN }),
      },
      { id: "op", name: "OP", type: "oidc", issuer: "https://op.example.com", clientId: "id", clientSecret: "s" },
    ],
  };
  const { handlers } = createAuth(config);
  const actions = [...extensions, Object(password).extension].flatMap((one) => Object.keys(one.actions ?? {}));
  const browser = createBrowser((request) => handlers[request.method === "POST" ? "POST" : "GET"](request), {
    origin: ORIGIN,
  });
  const tokenOf = async (): Promise<string> => (await (await browser.fetch("/auth/csrf")).json()).csrfToken;
  const send = async ({ path, fields }: (typeof REQUESTS)[number], format: Format, csrfToken: string) => {
    const headers = FORMATS[format];
    if (fields === undefined) return browser.fetch(`/auth/${path}`, { headers });
    const body = new URLSearchParams({ csrfToken, ...fields });
    return browser.fetch(`/auth/${path}`, { method: "POST", body, headers });
  };
  await send({ action: "", path: "callback/demo", fields: { username: "ann" } }, "script", await tokenOf());
  const user = async () => (await (await browser.fetch("/auth/session")).json())?.user?.name ?? null;
  const sessionCookies = () => browser.cookies.list().filter(({ name }) => name.includes("session-token"));
  return { faults, send, tokenOf, user, sessionCookies, actions };
}

/** What an answer is, as far as a client can tell. */
async function shown(answer: Visit) {
  const { status, headers } = answer;
  return { status, retry: headers.get("retry-after"), type: headers.get("content-type"), text: await answer.text() };
}

function checkUnavailable({ retry, type, text }: Awaited<ReturnType<typeof shown>>, format: Format, isForm: boolean) {
  expect(retry).toBe("5");
  if (format === "page") expect([type, text.includes("<main")]).toEqual(["text/html; charset=utf-8", true]);
  else expect(type).toBe("application/json");
  if (format === "script" && isForm) expect(Object.keys(JSON.parse(text)).length).toBeGreaterThan(0);
}

describe("an action of an extension while the store or the database is away", () => {
  it("is one of those below", async () => {
    const { actions } = await start("jwt");
    expect([...new Set(REQUESTS.map(({ action }) => action))].toSorted()).toEqual(actions.toSorted());
  });

  it("answers 503 in the format that was asked for, or as ever; no one is signed out, and it can be done again", {
    timeout: 600_000,
  }, async () => {
    const unavailable = new Set<string>();
    const prove = async (n: number, strategy: "jwt" | "database", format: Format, fault: Fault) => {
      const request = REQUESTS[n % REQUESTS.length];
      if (request === undefined) return;
      const [usual, app] = [await start(strategy), await start(strategy)];
      const expected = await shown(await usual.send(request, format, await usual.tokenOf()));
      expect(expected.status).toBeLessThan(500);
      const isEnded = usual.sessionCookies().length === 0;
      const token = await app.tokenOf();
      app.faults.set(fault);
      const answer = await shown(await app.send(request, format, token));
      const isHit = app.faults.seen() >= fault.from;
      app.faults.set(NEVER);
      expect(answer.text).not.toContain("10.0.0.7");
      if (answer.status === 503 && isHit) {
        unavailable.add(request.action);
        checkUnavailable(answer, format, request.fields !== undefined);
        expect(app.sessionCookies()).toHaveLength(1);
        // All were to end. Once the others have, an outage that lasts prevents that the own session is issued again: it ends as well.
        const end = request.fields?.end;
        const mayEnd = end === "all" || (end === "others" && fault.from > 1 && fault.calls > 1);
        if (mayEnd && (await app.user()) === null) return;
        expect(await app.user()).toBe("Ann");
        const again = await shown(await app.send(request, format, await app.tokenOf()));
        expect([request.path, again.status]).toEqual([request.path, expected.status]);
      } else expect([request.path, answer.status]).toEqual([request.path, expected.status]);
      expect(app.sessionCookies()).toHaveLength(isEnded ? 0 : 1);
    };
    const whole = { from: 1, calls: Number.POSITIVE_INFINITY };
    for (const [n, format] of pairs([...REQUESTS.keys()], ["json", "page"] as const))
      await prove(n, "jwt", format, whole);
    const fault = fc.record({ from: fc.integer({ min: 1, max: 12 }), calls: fc.constantFrom(1, 2, 1_000) });
    const [strategy, format] = [fc.constantFrom("jwt", "database"), fc.constantFrom("json", "script", "page")];
    const place = fc.nat(REQUESTS.length - 1);
    const numRuns = isLong ? 1_000 : 40;
    await fc.assert(fc.asyncProperty(place, strategy, format, fault, prove), { numRuns });
    expect(unavailable.size).toBeGreaterThan(8);
  });
});
