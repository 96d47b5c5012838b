/** What the hooks of an e-mail provider return passes the checks of what they replace. */

import type { EmailProvider } from "@cardea/core/providers";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { ORIGIN } from "../harness/harness.ts";

/** A provider's member as a program without types might write it. */
function parseHooks(hooks: object): Partial<EmailProvider> {
  return hooks as Partial<EmailProvider>;
}

/** Stands for a promise that is made when it is returned, so that nothing handles its rejection before. */
const REJECTED = Symbol("rejected");

const resultOf = (result: unknown) =>
  Object(result)[REJECTED] === true ? Promise.reject(new Error("no such user")) : result;

const unwanted: readonly (readonly [string, unknown])[] = [
  ["a list", "a@x.io,b@evil.com"],
  ["a name in front", "Ann <ann@x.io>"],
  ["a line break", "ann@x.io\r\nBcc: b@evil.com"],
  ["a NUL", "ann@x.io\u0000"],
  ["an invisible character", "an\u200bn@x.io"],
  ["a filler in the domain", "ann@x\u115f.io"],
  ["a second @", "ann@evil.com@x.io"],
  ["a domain without a dot", "ann@localhost"],
  ["nothing", ""],
  ["undefined", undefined],
  ["null", null],
  ["a number", 5],
  ["a promise", Promise.resolve("ann@x.io")],
  ["a promise that is rejected", { [REJECTED]: true }],
  ["an array", ["ann@x.io"]],
  ["an object with toString", { toString: () => "ann@x.io" }],
  ["a String object", new String("ann@x.io")],
];

describe("normalizeIdentifier", () => {
  it.each(unwanted)("that returns %s sends no mail", async (_, result) => {
    const app = setUpDatabase({ email: parseHooks({ normalizeIdentifier: () => resultOf(result) }) });
    expect((await app.ask("ann@x.io")).redirectsTo).toContain("error=EmailSignin");
    expect([app.mails, app.memory.snapshot().verificationTokens]).toEqual([[], []]);
  });

  it("returns what is stored in its one form", async () => {
    const app = setUpDatabase({ email: { normalizeIdentifier: () => " Ann@MÜLLER.example" } });
    await app.ask("bob@x.io");
    expect(app.memory.snapshot().verificationTokens).toMatchObject([{ identifier: "ann@xn--mller-kva.example" }]);
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("gets the address in its one form, so that a plain comparison is enough", async () => {
    const given: string[] = [];
    const normalizeIdentifier = (identifier: string) => {
      given.push(identifier);
      if (identifier.endsWith("@evil.com")) throw new Error("not here");
      return identifier;
    };
    const app = setUpDatabase({ email: { normalizeIdentifier } });
    for (const typed of [" A@EVIL.com", "a@ｅvil.com", "a@evil.com.", "a@evil.com,b@x.io", "a@ev\u00adil.com"]) {
      expect([typed, (await app.ask(typed)).redirectsTo]).toEqual([
        typed,
        expect.stringContaining("error=EmailSignin"),
      ]);
    }
    expect([app.mails, given]).toEqual([[], ["a@evil.com", "a@evil.com"]]);
  });

  it("may complete a user name, and is asked no second time when the link is opened", async () => {
    const app = setUpDatabase({ email: { normalizeIdentifier: (name) => `${name}@corp.example` } });
    await app.ask(" Ann ");
    expect(app.memory.snapshot().verificationTokens).toMatchObject([{ identifier: "ann@corp.example" }]);
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
  });
});

describe("generateVerificationToken", () => {
  it.each([
    ["nothing", ""],
    ["undefined", undefined],
    ["a number", 123456],
    ["a line break", "token\nof two lines"],
    ["a NUL", "token\u0000"],
    ["half a character", "token\ud800"],
    ["too much", "x".repeat(513)],
    ["an array", ["token"]],
    ["an object with toString", { toString: () => "token" }],
    ["a promise of a number", Promise.resolve(5)],
  ])("that returns %s sends no mail", async (_, token) => {
    const app = setUpDatabase({ email: parseHooks({ generateVerificationToken: () => token }) });
    expect((await app.ask("ann@x.io")).redirectsTo).toContain("error=EmailSignin");
    expect([app.mails, app.memory.snapshot().verificationTokens]).toEqual([[], []]);
  });

  it("that fails sends no mail, and the log says why", async () => {
    const generateVerificationToken = () => Promise.reject(new Error("the vault is closed"));
    const app = setUpDatabase({ email: { generateVerificationToken } });
    expect((await app.ask("ann@x.io")).redirectsTo).toContain("error=EmailSignin");
    expect(app.logs.map(({ text }) => text).join()).toContain("generateVerificationToken");
  });
});

describe("allowLocalDomains", () => {
  it("lets addresses of an intranet sign in, where the provider says so", async () => {
    expect((await setUpDatabase().ask("ann@intranet")).redirectsTo).toContain("error=EmailSignin");
    const app = setUpDatabase({ email: { allowLocalDomains: true } });
    await app.ask("ann@intranet");
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
    expect(await app.session()).toMatchObject({ user: { email: "ann@intranet" } });
  });
});
