/** What functions of the application return is checked, type included. */
import { describe, expect, it } from "vitest";
import { cheap, EMAIL, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

describe("verify() of a format of the application", () => {
  it.each([{ ok: false }, "no", 1, [], undefined, null])("that resolves to %j lets no one in", async (answer) => {
    const hash = { ...cheap, verify: async () => answer as unknown as boolean };
    const { open, register, signIn, userOf } = startApp({ options: { hash } });
    await register(open());
    const browser = open();
    expect((await signIn(browser, EMAIL, OTHER)).redirectsTo).toContain("error=CredentialsSignin");
    expect(await userOf(browser)).toBeNull();
  });
});

describe("legacy()", () => {
  it.each([
    ["an id that lost digits", async () => ({ userId: 2 ** 53 + 2, hash: await cheap.hash(PASSWORD) })],
    ["no id", async () => ({ hash: await cheap.hash(PASSWORD) })],
    ["an object for an id", async () => ({ userId: { toString: () => "user-1" }, hash: await cheap.hash(PASSWORD) })],
    ["no hash", async () => ({ userId: "user-1" })],
    ["true", async () => true],
  ])("that returns %s signs no one in", async (_, legacy) => {
    const { open, signIn, userOf, memory } = startApp({ options: { legacy: legacy as never } });
    await memory.adapter.createUser?.({
      id: "user-1",
      name: null,
      email: EMAIL,
      emailVerified: new Date(0),
      image: null,
    });
    const browser = open();
    expect((await signIn(browser, EMAIL, PASSWORD)).redirectsTo).toContain("error=Configuration");
    expect(await userOf(browser)).toBeNull();
  });
});
