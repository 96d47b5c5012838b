/** Ids of users that the column of the database cannot hold, such as one of UUIDs: drivers reject a search for them. */

import type { Adapter } from "@cardea/core/adapters";
import type { CredentialsProvider } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, setUp } from "../harness/harness.ts";

const ADDRESS = "ann@example.com";
const DOWN = { throws: new Error("down"), times: Number.POSITIVE_INFINITY };

/** Its ids are `user-1` and so on. */
function strict({ adapter }: MemoryAdapter): Adapter {
  const getUser = async (id: string) => {
    if (!String(id).startsWith("user-")) throw new Error(`invalid input syntax for type uuid: "${id}"`);
    return adapter.getUser(id);
  };
  return { ...adapter, getUser };
}

/** Credentials, and e-mail sign-in with a database. */
function start(id: string, callbacks: NonNullable<AuthConfig["callbacks"]> = {}) {
  const row = { id: "user-1", name: "Ann", email: ADDRESS, emailVerified: null, image: null };
  const memory = createMemoryAdapter(id === row.id ? { seed: { users: [row] } } : {});
  const authorize = () => ({ id, name: "Ann", email: ADDRESS });
  const form: CredentialsProvider = { id: "form", name: "Form", type: "credentials", credentials: {}, authorize };
  const config = { adapter: strict(memory), callbacks };
  const c = setUpDatabase({ memory, strategy: "jwt", mayFail: true, providers: [form], config });
  return { ...c, signInByForm: () => c.post(`${BASE}/callback/form`) };
}

describe("a credentials user kept elsewhere, beside e-mail sign-in with a database", () => {
  it.each(["7", "0b7c", "ldap|ann"])("signs in: %s", async (id) => {
    const c = start(id);
    await c.signInByForm();
    expect(await c.session()).toMatchObject({ user: { email: ADDRESS } });
  });

  it("keeps the session when `callbacks.jwt` changes the address", async () => {
    let email = ADDRESS;
    const c = start("ldap|ann", { jwt: ({ token }) => ({ ...token, email }) });
    await c.signInByForm();
    email = "ann@new.example.com";
    expect(await c.session()).toMatchObject({ user: { email } });
  });

  it.each([
    ["kept elsewhere, while the database is away", "ldap|ann", DOWN],
    ["of the database, which fails to read them", "user-1", { ...DOWN, method: "getUser" }],
  ] as const)("is no reason to sign in one %s", async (_, id, fault) => {
    const c = start(id);
    c.memory.fail(fault);
    await c.signInByForm();
    c.memory.heal();
    expect(await c.session()).toBeNull();
  });
});

describe("a session from before there was a database, which names its user `provider|id`", () => {
  const sub: NonNullable<AuthConfig["callbacks"]> = {
    session: ({ session, token }) => ({ ...session, sub: token?.sub }),
  };

  /** Signs in without a database, and again with one. */
  async function move(fault?: typeof DOWN) {
    const former = setUp({ config: { callbacks: sub } });
    await former.signInWithOp();
    expect(await former.session()).toMatchObject({ sub: expect.stringContaining("op|") });
    const memory = createMemoryAdapter();
    const config = { adapter: strict(memory), callbacks: sub };
    const c = setUpDatabase({ memory, strategy: "jwt", mayFail: true, config });
    c.browser.cookies.restore(former.browser.cookies.snapshot());
    if (fault !== undefined) memory.fail(fault);
    await c.signInWithOp();
    return c;
  }

  it("does not prevent the next sign-in, which creates the user", async () => {
    const c = await move();
    expect(await c.session()).toMatchObject({ sub: "user-1" });
    expect(c.memory.snapshot().users).toHaveLength(1);
  });

  it("signs no one in while the database is away", async () => {
    const c = await move(DOWN);
    expect(await c.session()).toMatchObject({ sub: expect.stringContaining("op|") });
    expect(c.memory.snapshot().users).toEqual([]);
  });
});
