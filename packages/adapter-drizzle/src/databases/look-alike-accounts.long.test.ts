// `@auth/drizzle-adapter` as it comes from npm under the engine, on a database whose default collation ignores case and accents.
import { createAuth, customFetch } from "@cardea/core";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { theirAdapter } from "./authjs-database.ts";
import { openMariadb } from "./mariadb.ts";

import { theirTables } from "./their-tables.ts";

const ORIGIN = "https://app.example.com";
const database = await whereReachable("MariaDB", () => openMariadb(theirTables("mysql")));
afterAll(() => database?.close());

describe.skipIf(database === undefined)("@auth/drizzle-adapter on MariaDB", () => {
  it.each(["database", "jwt"] as const)("signs no one in by a look-alike of their id: %s", async (strategy) => {
    const op = createScriptedProvider();
    const { issuer, clientId, clientSecret = "" } = op;
    const example = { id: strategy, name: "P", type: "oidc", issuer, clientId, clientSecret } as const;
    const errors: string[] = [];
    const { handlers } = createAuth({
      secret: "a secret of more than thirty-two bytes for tests",
      trustHost: true,
      adapter: theirAdapter(Object(database?.db)),
      session: { strategy },
      logger: { error: (error) => void errors.push(String(error)), warn: () => undefined, debug: () => undefined },
      providers: [{ ...example, [customFetch]: op.fetch }],
    });
    const signInAs = async (sub: string) => {
      const browser = createBrowser(handlers.GET, { origin: ORIGIN, routes: { [issuer]: op.handler } });
      op.user = { sub, email: `${sub}-of-${strategy}@example.com`.toLowerCase(), name: sub };
      const page = await browser.navigate("/auth/signin");
      const { url } = await browser.submit(page, { action: `/auth/signin/${strategy}`, follow: "all" });
      return { url, session: await (await browser.fetch("/auth/session")).json() };
    };
    expect((await signInAs("Victim")).session).toMatchObject({ user: { name: "Victim" } });
    expect(await signInAs("vICTIM")).toMatchObject({ url: expect.stringContaining("error="), session: null });
    expect(errors).toEqual([expect.stringContaining("the account of another id")]);
    expect((await signInAs("Victim")).session).toMatchObject({ user: { name: "Victim" } });
  });
});
