// Passkeys from the browser to the row: every database, and the adapter of Auth.js on tables that were made for it.
import { PrismaAdapter as AuthPrismaAdapter } from "@auth/prisma-adapter";
import { createAuth } from "@cardea/core";
import type { Adapter } from "@cardea/core/adapters";
import { Passkey } from "@cardea/providers-webauthn";
import { type Browser, createAuthenticator, createBrowser } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { scratchPglite } from "../../../testing/src/scratch-pglite.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { authjsModels } from "./authjs-models.ts";
import type { GeneratedClient } from "./generate-client.ts";
import { openMariadb } from "./mariadb.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

const ORIGIN = "https://app.example.com";
const HOME = { url: `${ORIGIN}/` };

const databases = {
  SQLite: await openSqlite(),
  "PostgreSQL in this process": await openPglite(await scratchPglite()),
  PostgreSQL: await whereReachable("PostgreSQL", () => openPostgres()),
  MariaDB: await whereReachable("MariaDB", () => openMariadb()),
  "SQLite, tables and adapter of Auth.js": await openSqlite({ models: authjsModels }),
};
afterAll(async () => {
  for (const database of Object.values(databases)) await database?.close();
});

function setUp(adapter: Adapter) {
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter,
    providers: [Passkey()],
    experimental: { enableWebAuthn: true },
    logger: { warn: () => undefined, debug: () => undefined, error: () => undefined },
  });
  return createBrowser(handlers.GET, { origin: ORIGIN });
}

async function optionsFor(browser: Browser, query: string) {
  return (await (await browser.fetch(`/auth/webauthn-options/passkey?${query}`)).json()).options;
}

async function answer(browser: Browser, action: string, data: object): Promise<{ url: string }> {
  const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
  const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
  const body = JSON.stringify({ action, data, csrfToken, callbackUrl: "/" });
  return (await browser.fetch("/auth/callback/passkey", { method: "POST", headers, body })).json();
}

function adapterOf(name: string, client: GeneratedClient): Adapter {
  return name.includes("Auth.js") ? AuthPrismaAdapter(client) : PrismaAdapter(client);
}

describe.each(Object.entries(databases))("passkeys on %s", (name, database) => {
  it.skipIf(database === undefined)("spec 2.5 are stored and returned with every field, and sign in", async () => {
    if (database === undefined) return;
    const adapter = adapterOf(name, database.client);
    const browser = setUp(adapter);
    const phone = createAuthenticator({ backedUp: true });
    const key = createAuthenticator({ transports: ["nfc", "usb"] });
    const email = "ann@example.com";

    const registration = await optionsFor(browser, `action=register&email=${email}`);
    expect(await answer(browser, "register", await phone.create(registration))).toEqual(HOME);
    const further = await optionsFor(browser, "action=register");
    expect(await answer(browser, "register", await key.create(further))).toEqual(HOME);
    const again = await optionsFor(browser, "action=register");
    const ids = [...phone.credentials, ...key.credentials].map(({ id }) => id);
    expect(again.excludeCredentials.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());

    const user = await adapter.getUserByEmail?.(email);
    const stored = await adapter.listAuthenticatorsByUserId?.(user?.id ?? "");
    const shown = stored?.map(
      ({ credentialID: _id, credentialPublicKey: _key, providerAccountId: _account, ...rest }) => rest,
    );
    const userId = user?.id;
    // Tables made for Auth.js have no columns for these.
    const own = name.includes("Auth.js") ? {} : { name: null, createdAt: expect.any(Date), usedAt: null };
    expect(shown?.sort((a, b) => Number(b.credentialBackedUp) - Number(a.credentialBackedUp))).toEqual([
      {
        userId,
        counter: 1,
        credentialDeviceType: "multiDevice",
        credentialBackedUp: true,
        transports: "hybrid,internal",
        ...own,
      },
      {
        ...{ userId, counter: 1, credentialDeviceType: "singleDevice", credentialBackedUp: false, ...own },
        transports: "nfc,usb",
      },
    ]);

    for (const [query, device] of [
      ["", phone],
      [`&email=${email}`, key],
    ] as const) {
      browser.cookies.clear();
      const asked = await optionsFor(browser, `action=authenticate${query}`);
      expect(await answer(browser, "authenticate", await device.get(asked))).toEqual(HOME);
    }
    const session = await browser.fetch("/auth/session");
    expect(await session.json()).toMatchObject({ user: { email } });
    const used = await adapter.listAuthenticatorsByUserId?.(user?.id ?? "");
    expect(used?.map(({ counter }) => counter)).toEqual([2, 2]);
    if ("usedAt" in own) expect(used?.every(({ usedAt }) => usedAt instanceof Date)).toBe(true);
  });

  it.skipIf(database === undefined)("H220 a challenge is answered once, however many try", async () => {
    if (database === undefined) return;
    const adapter = adapterOf(name, database.client);
    const browser = setUp(adapter);
    const device = createAuthenticator();
    const registration = await optionsFor(browser, "action=register&email=bob@example.com");
    await answer(browser, "register", await device.create(registration));
    browser.cookies.clear();
    const asked = await optionsFor(browser, "action=authenticate");
    const answers = [await device.get(asked), await device.get(asked), await device.get(asked)];
    const sent = await Promise.all(answers.map((data) => answer(browser.tab(), "authenticate", data)));
    expect(sent.filter(({ url }) => url === HOME.url)).toHaveLength(1);
  });
});
