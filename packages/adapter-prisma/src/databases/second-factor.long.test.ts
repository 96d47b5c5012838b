// One code at once from many browsers, on every database: the row decides which of them counts.
import { attempts } from "@cardea/attempts";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { type Browser, createBrowser, totpCode } from "@cardea/testing";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scratchPglite } from "../../../testing/src/scratch-pglite.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import type { GeneratedClient } from "./generate-client.ts";
import { openMariadb } from "./mariadb.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

const BROWSERS = 50;

const databases = {
  SQLite: await openSqlite(),
  "PostgreSQL in this process": await openPglite(await scratchPglite()),
  PostgreSQL: await whereReachable("PostgreSQL", () => openPostgres()),
  MariaDB: await whereReachable("MariaDB", () => openMariadb()),
};
afterAll(async () => {
  for (const database of Object.values(databases)) await database?.close();
});

/** Ann's password is right whatever it is; the limit of attempts is off, so that all codes are looked at. */
async function setUp(client: GeneratedClient) {
  const adapter = PrismaAdapter(client);
  const user = { id: "", name: "Ann", email: `${crypto.randomUUID()}@example.com`, emailVerified: null, image: null };
  const ann = await adapter.createUser?.(user);
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter,
    store: memoryStore({ instances: 1 }),
    session: { strategy: "database" },
    extensions: [
      attempts({ limits: { factor: "", signin: "" } }),
      secondFactor({ factors: [totp({ issuer: "Acme" }), recoveryCodes()], require: () => "always" }),
    ],
    providers: [
      { id: "password", name: "Password", type: "credentials", credentials: {}, authorize: () => ann ?? null },
    ],
    logger: { warn: () => undefined, debug: () => undefined, error: () => undefined },
  });
  const open = () =>
    createBrowser((request) => handlers[request.method === "POST" ? "POST" : "GET"](request), {
      origin: "https://app.example.com",
    });
  return { open, adapter, userId: ann?.id ?? "" };
}

async function send(browser: Browser, path: string, fields: Record<string, string> = {}) {
  const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
  const headers = { "x-auth-return-redirect": "1" };
  return browser.fetch(path, { method: "POST", headers, body: new URLSearchParams({ csrfToken, ...fields }) });
}

// In the middle of a step, where the clock stays: a slow machine must not make the code of the step before too old.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(Object.entries(databases))("a second factor on %s", (_name, database) => {
  it.skipIf(database === undefined)("one of many identical codes at once counts", async () => {
    if (database === undefined) return;
    const { open, adapter, userId } = await setUp(database.client);
    const first = open();
    await send(first, "/auth/callback/password");
    const { enrol } = await (await first.fetch("/auth/factor", { headers: { accept: "application/json" } })).json();
    // The code of the step before is used up to enrol, so that the present one is left.
    const code = await totpCode(enrol.secret, Date.now() - 30_000);
    const enrolled = await send(first, "/auth/factor/totp", { step: "confirm", setup: enrol.setup, code });
    const { recoveryCodes: codes } = await enrolled.json();
    const before = (await adapter.listSessionsByUserId?.(userId))?.length ?? 0;
    for (const [n, way] of (["totp", "recovery"] as const).entries()) {
      const browsers = Array.from({ length: BROWSERS }, open);
      for (const browser of browsers) await send(browser, "/auth/callback/password");
      const typed = way === "totp" ? await totpCode(enrol.secret) : String(codes[0]);
      const answers = await Promise.all(
        browsers.map((browser) => send(browser, `/auth/factor/${way}`, { code: typed })),
      );
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      expect((await adapter.listSessionsByUserId?.(userId))?.length).toBe(before + n + 1);
    }
  });
});
