import { describe, expect, it } from "vitest";
import { cheap, EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";
import { argon2 } from "./argon2.ts";

describe("sign-in", () => {
  it("is refused with a wrong password, an unknown address, and what is not an address, in one way", async () => {
    const { open, register, signIn, userOf } = startApp();
    await register(open());
    const answers = [];
    for (const [email, password] of [
      [EMAIL, OTHER],
      ["nix@example.com", PASSWORD],
      ["not an address", PASSWORD],
      [EMAIL, ""],
      [EMAIL, "x".repeat(50_000)],
      [EMAIL, `${PASSWORD} `],
    ] as const) {
      const browser = open();
      answers.push((await signIn(browser, email, password)).redirectsTo);
      expect(await userOf(browser)).toBeNull();
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("error=CredentialsSignin&code=credentials");
  });

  it("takes the password as it is, spaces and case included", async () => {
    const { open, register, signIn } = startApp();
    const password = " e\u0301tude with  spaces ﬁ ";
    await register(open(), EMAIL, password);
    expect((await signIn(open(), EMAIL, password)).redirectsTo).toBe(`${ORIGIN}/inside`);
    for (const other of [password.normalize("NFKC"), password.trim(), password.toUpperCase()])
      expect((await signIn(open(), EMAIL, other)).redirectsTo).toContain("error=CredentialsSignin");
  });

  it.each(["NFC", "NFD"] as const)(
    "takes either form of composed characters of a password chosen in %s",
    async (form) => {
      const { open, register, signIn } = startApp();
      const password = "Käse und Brötchen für 각자";
      await register(open(), EMAIL, password.normalize(form));
      for (const typed of ["NFC", "NFD"])
        expect((await signIn(open(), EMAIL, password.normalize(typed))).redirectsTo).toBe(`${ORIGIN}/inside`);
      expect((await signIn(open(), EMAIL, password.replace("ö", "o"))).redirectsTo).toContain("error=");
    },
  );

  it.each(["NFC", "NFD", "neither"])("takes either form of a password whose imported hash is of %s", async (form) => {
    const password = "Brötchen, Käse und Öl";
    const stored = form === "neither" ? `Bro\u0308${password.normalize("NFC").slice(3)}` : password.normalize(form);
    const hash = await cheap.hash(stored);
    const { open, signIn, memory } = startApp({ options: { legacy: () => ({ userId: "user-1", hash }) } });
    await memory.adapter.createUser?.({ id: "user-1", name: null, email: EMAIL, emailVerified: null, image: null });
    const typed = form === "neither" ? [stored] : [password.normalize("NFC"), password.normalize("NFD")];
    for (const one of typed) expect((await signIn(open(), EMAIL, one)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("accepts any spelling of the address", async () => {
    const { open, register, signIn } = startApp();
    await register(open());
    expect((await signIn(open(), " ANN@Example.COM ", PASSWORD)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("is closed after a hundred wrong passwords in a row, and opened by a new one", async () => {
    const { open, register, signIn, store, askReset, useLink, choose } = startApp();
    const browser = open();
    await register(browser);
    const { add } = store;
    const counted: string[] = [];
    store.add = async (key, by, o) => {
      counted.push(key);
      return add.call(store, key, by, o);
    };
    await signIn(open(), EMAIL, OTHER);
    await add.call(store, counted.at(-1) ?? "", 98, { ttl: 1000 });
    await signIn(open(), EMAIL, OTHER);
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toContain("error=CredentialsSignin");
    await askReset(browser);
    await useLink(browser);
    await choose(browser, OTHER);
    expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("replaces a hash of former parameters, unless the password changed meanwhile", async () => {
    const { open, register, signIn, memory } = startApp();
    await register(open());
    const { scrypt } = await import("./index.ts");
    const former = await scrypt({ N: 2 ** 9 }).hash(PASSWORD);
    await memory.adapter.updateCredential?.({ id: "password:user-1", version: 0, secret: former });
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(memory.snapshot().credentials).toMatchObject([{ secret: expect.stringContaining("$ln=10,"), version: 2 }]);
    await signIn(open(), EMAIL, PASSWORD);
    expect(memory.snapshot().credentials).toMatchObject([{ version: 2 }]);
  });

  it("asks legacy until the first sign-in", async () => {
    const asked: string[] = [];
    const { scrypt } = await import("./index.ts");
    const hash = await scrypt({ N: 2 ** 9 }).hash(PASSWORD);
    const legacy = (identifier: string) => {
      asked.push(identifier);
      return identifier === EMAIL ? { userId: "user-1", hash } : null;
    };
    const { open, signIn, memory } = startApp({ options: { legacy } });
    await memory.adapter.createUser?.({ id: "x", email: EMAIL, emailVerified: null });
    expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toContain("error=CredentialsSignin");
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(memory.snapshot().credentials).toMatchObject([{ secret: expect.stringContaining("$ln=10,") }]);
    await signIn(open(), EMAIL, PASSWORD);
    await signIn(open(), "nix@example.com", PASSWORD);
    expect(asked).toEqual([EMAIL, EMAIL, "nix@example.com"]);
  });

  it.each([
    ["$argon2id$v=19$m=1048576,t=4,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", " (argon2id, m=1048576,t=4,p=1)"],
    ["$scrypt$ln=20,r=8,p=1$c29tZXNhbHRzb21l$aGFzaGhhc2hoYXNoaGFzaGhhc2g", " (scrypt, ln=20,r=8,p=1)"],
    ["0123456789abcdef", ""],
  ])(
    "checks no hash that costs more than its format allows, and logs its cost but not the hash: %s",
    async (hash, cost) => {
      const { open, signIn, memory, said } = startApp({
        options: { legacy: () => ({ userId: "user-1", hash }), accept: [argon2()] },
      });
      await memory.adapter.createUser?.({ id: "x", email: EMAIL, emailVerified: null });
      expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toContain("error=CredentialsSignin");
      const lines = said.filter((line) => line.startsWith("password-hash: "));
      expect(lines).toEqual([expect.stringContaining(`the stored hash of user user-1${cost} is rejected`)]);
      expect(lines.join()).not.toContain(hash.slice(-12));
    },
  );

  it("signs no one in and says so while the database is away", async () => {
    const { open, register, signIn, memory } = startApp();
    await register(open());
    memory.fail({ method: "listCredentialsByUserId", throws: new Error("away"), times: Number.POSITIVE_INFINITY });
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toContain("error=Configuration");
  });
});
