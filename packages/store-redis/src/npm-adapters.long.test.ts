// Adapters written for Auth.js, as they come from npm and unchanged, with a Redis beside them: two processes list, end and limit, and no
// table is added or changed.

import { attempts } from "@cardea/attempts";
import { type AuthConfig, createAuth, customFetch } from "@cardea/core";
import type { Adapter } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { type Browser, createBrowser, createScriptedProvider } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openD1Adapter } from "../../testing/src/authjs-compat/adapters/d1.ts";
import { openDrizzleAdapter } from "../../testing/src/authjs-compat/adapters/drizzle.ts";
import { openKyselyAdapter } from "../../testing/src/authjs-compat/adapters/kysely.ts";
import { openPgAdapter } from "../../testing/src/authjs-compat/adapters/pg.ts";
import { openUnstorageAdapter } from "../../testing/src/authjs-compat/adapters/unstorage.ts";
import { openUpstashAdapter } from "../../testing/src/authjs-compat/adapters/upstash.ts";
import { openPatientStore } from "./servers/open-patient-store.ts";
import { installedServers, startRedis } from "./servers/start-redis.ts";

const ORIGIN = "https://app.example.com";

const adapters: Readonly<Record<string, () => Promise<{ readonly adapter: Adapter; close(): unknown }>>> = {
  "@auth/d1-adapter": openD1Adapter,
  "@auth/drizzle-adapter": openDrizzleAdapter,
  "@auth/kysely-adapter": openKyselyAdapter,
  "@auth/pg-adapter": openPgAdapter,
  "@auth/unstorage-adapter": openUnstorageAdapter,
  "@auth/upstash-redis-adapter": openUpstashAdapter,
};

const redis = installedServers().includes("redis-server") ? await startRedis() : undefined;
const closing: (() => void)[] = [];
afterAll(async () => {
  for (const close of closing) close();
  await redis?.close();
});

/** One process of an application, with a client of its own. */
function startProcess(adapter: Adapter, strategy: "jwt" | "database", prefix: string) {
  const { store, close } = openPatientStore(redis?.url ?? "", { prefix });
  closing.push(close);
  const op = createScriptedProvider();
  const errors: Error[] = [];
  const mails: string[] = [];
  const config: AuthConfig = {
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter,
    session: { strategy },
    store,
    // Each read waits for the log, so that it is seen at once what the other process wrote.
    extensions: [sessions({ revocation: { every: 0.000_001, stale: 60 } }), attempts()],
    logger: { error: (error) => void errors.push(error), warn: () => undefined, debug: () => undefined },
    providers: [
      {
        id: "op",
        name: "P",
        type: "oidc",
        issuer: op.issuer,
        clientId: op.clientId,
        clientSecret: op.clientSecret ?? "",
        [customFetch]: op.fetch,
      },
      {
        id: "email",
        name: "E",
        type: "email",
        sendVerificationRequest: ({ url }) => void mails.push(url),
        rateLimit: () => true,
      },
    ],
  };
  const { handlers } = createAuth(config);
  const answer = (request: Request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
  const newBrowser = () => createBrowser(answer, { origin: ORIGIN, routes: { [op.issuer]: op.handler } });
  const signIn = async (): Promise<Browser> => {
    const browser = newBrowser();
    await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op", follow: "all" });
    return browser;
  };
  return { newBrowser, signIn, errors, mails };
}

type Process = ReturnType<typeof startProcess>;

async function post(browser: Browser, action: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, ...fields });
  return browser.fetch(`/auth/${action}`, { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } });
}

/** Whose session the cookies of a browser open on a process. */
async function openOn(process: Process, from: Browser): Promise<string | null> {
  const browser = process.newBrowser();
  browser.cookies.restore(from.cookies.snapshot());
  const session: { user: { email: string } } | null = await (await browser.fetch("/auth/session")).json();
  return session?.user.email ?? null;
}

describe.skipIf(redis === undefined).each(Object.keys(adapters))("%s, unmodified, with Redis", (name) => {
  it.each(["jwt", "database"] as const)("%s sessions: lists, ends and limits, over two processes", async (strategy) => {
    const { adapter, close } = (await adapters[name]?.()) ?? {};
    if (adapter === undefined) throw new Error("There is no such adapter.");
    const methods = Object.keys(adapter);
    const prefix = `${name}-${strategy}:`;
    const [a, b] = [startProcess(adapter, strategy, prefix), startProcess(adapter, strategy, prefix)];
    const [first, second, third] = [await a.signIn(), await a.signIn(), await b.signIn()];
    const ann = await openOn(b, first);
    expect(ann).toMatch(/@/);
    const list = await first.fetch("/auth/sessions", { headers: { accept: "application/json" } });
    const { sessions: listed } = await list.json();
    expect(listed).toHaveLength(3);

    const other = listed.find(({ current }: { current: boolean }) => !current)?.id;
    expect((await post(first, "sessions", { end: other })).status).toBe(200);
    const alive = await Promise.all([second, third].map((browser) => openOn(b, browser)));
    expect([...alive].sort()).toEqual([ann, null].sort());
    expect((await post(first, "sessions", { end: "others" })).status).toBe(200);
    for (const process of [a, b]) {
      expect([await openOn(process, second), await openOn(process, third)]).toEqual([null, null]);
      expect(await openOn(process, first)).toBe(ann);
    }
    const copy = first.cookies.snapshot();
    await post(first, "signout", {});
    first.cookies.restore(copy);
    expect([await openOn(a, first), await openOn(b, first)]).toEqual([null, null]);

    // Five mails in ten minutes, whichever process is asked.
    for (let n = 0; n < 8; n++) await post((n % 2 ? a : b).newBrowser(), "signin/email", { email: "ann@example.org" });
    expect(a.mails.length + b.mails.length).toBe(5);
    expect([a.errors, b.errors]).toEqual([[], []]);
    expect(Object.keys(adapter)).toEqual(methods);
    await close?.();
  });
});
