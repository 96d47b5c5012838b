import bcryptjs from "bcryptjs";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";
import { bcrypt } from "./bcrypt.ts";
import { betterAuthScrypt, passwordsOf } from "./index.ts";

const accept = [bcrypt({ cost: 4 }), betterAuthScrypt()];

async function startWithUsers(count = 1) {
  const app = startApp({ options: { accept } });
  for (let n = 1; n <= count; n++)
    await app.memory.adapter.createUser?.({
      id: "x",
      email: n === 1 ? EMAIL : `u${n}@example.com`,
      emailVerified: null,
    });
  return { ...app, passwords: passwordsOf(app.auth) };
}

describe("passwordsOf()", () => {
  it("imports a hash, which signs in and is replaced by one of the current format", async () => {
    const { passwords, signIn, open, memory } = await startWithUsers();
    expect(await passwords.import("user-1", await bcryptjs.hash(PASSWORD, 4))).toBe("stored");
    expect(await passwords.has("user-1")).toBe(true);
    expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toContain("error=CredentialsSignin");
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(memory.snapshot().credentials).toMatchObject([{ secret: expect.stringMatching(/^\$scrypt\$/), version: 1 }]);
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("keeps a hash of bcrypt where the password is longer than what bcrypt looks at", async () => {
    const { passwords, signIn, open, memory } = await startWithUsers();
    const long = `${"correct horse battery ".repeat(4)}!`;
    await passwords.import("user-1", await bcryptjs.hash(long, 4));
    expect((await signIn(open(), EMAIL, `${long.slice(0, 72)}anything`)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect((await signIn(open(), EMAIL, long)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(memory.snapshot().credentials).toMatchObject([{ secret: expect.stringMatching(/^\$2/), version: 0 }]);
  });

  it("a change at the same time wins over the replacement", async () => {
    const { passwords, signIn, open, memory } = await startWithUsers();
    await passwords.import("user-1", await bcryptjs.hash(PASSWORD, 4));
    const { adapter } = memory;
    const list = adapter.listCredentialsByUserId;
    adapter.listCredentialsByUserId = async (userId) => {
      const found = (await list?.(userId)) ?? [];
      adapter.listCredentialsByUserId = list;
      await adapter.updateCredential?.({ id: "password:user-1", version: 0, secret: "changed meanwhile" });
      return found;
    };
    await signIn(open(), EMAIL, PASSWORD);
    expect(memory.snapshot().credentials).toMatchObject([{ secret: "changed meanwhile", version: 1 }]);
  });

  it("keeps what is there, and refuses what no format reads and users that do not exist", async () => {
    const { passwords, memory } = await startWithUsers(3);
    const hash = await bcryptjs.hash(PASSWORD, 4);
    const entries = [
      { userId: "user-1", hash },
      { userId: "user-1", hash: await bcryptjs.hash(OTHER, 4) },
      { userId: "user-2", hash: "5f4dcc3b5aa765d61d8327deb882cf99" },
      { userId: "nix", hash },
      { userId: "user-3", hash },
    ];
    const [first, again, ...others] = await passwords.importAll(entries);
    expect([[first, again].sort(), others]).toEqual([
      ["exists", "stored"],
      ["format", "failed", "stored"],
    ]);
    expect(memory.snapshot().credentials).toHaveLength(2);
    expect(await passwords.has("user-2")).toBe(false);
  });
});
