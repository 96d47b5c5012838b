import { parseEnv } from "node:util";
import { array, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { rotateSecret } from "./rotate-secret.ts";

const NEW = "a-new-secret-of-more-than-thirty-two-characters";

/** The secrets that an application reads from a file, current first. */
function secretsOf(text: string): readonly string[] {
  const env: Record<string, string | undefined> = parseEnv(text);
  const current = env.AUTH_SECRET || env.NEXTAUTH_SECRET;
  return [current, env.AUTH_SECRET_1, env.AUTH_SECRET_2, env.AUTH_SECRET_3].filter(
    (one) => one !== undefined && one !== "",
  ) as string[];
}

describe("rotateSecret()", () => {
  it.each([
    ["export", 'export AUTH_SECRET="old one"\nA=1\n'],
    ["spaces", "  AUTH_SECRET = old\nA=1\n"],
    ["quotes", "A=1\nAUTH_SECRET='o#l\"d'\n"],
    ["several lines", 'A=1\nAUTH_SECRET="o\nld"\nB=2\n'],
    ["a comment", "AUTH_SECRET=old # not the newest\nA=1\n"],
    ["no line end", "A=1\nAUTH_SECRET=old"],
    ["Windows", 'A=1\r\nAUTH_SECRET="old"\r\nB=2\r\n'],
    ["two assignments, of which the last counts", "AUTH_SECRET=older\nA=1\nAUTH_SECRET=old\nB=2\n"],
    ["the name of NextAuth", "A=1\nNEXTAUTH_SECRET=old\nB=2\n"],
    ["both names", "NEXTAUTH_SECRET=other\nAUTH_SECRET=old\nB=2\n"],
    ["an empty one", 'AUTH_SECRET=""\nNEXTAUTH_SECRET=old\nAUTH_SECRET_1=b\n'],
    ["none", "A=1\n"],
  ])("keeps what was in effect: %s", (_, text) => {
    const { text: rotated, former } = rotateSecret(text, NEW);
    const before = secretsOf(text);
    expect(secretsOf(rotated)).toEqual([NEW, ...before]);
    expect(former).toBe(before.length);
    const { AUTH_SECRET: _a, AUTH_SECRET_1: _b, ...others } = parseEnv(text);
    expect(parseEnv(rotated)).toMatchObject(others);
  });

  it("keeps the three newest of any file, and every other line", () => {
    const name = constantFrom(
      "AUTH_SECRET",
      "AUTH_SECRET_1",
      "AUTH_SECRET_2",
      "AUTH_SECRET_3",
      "NEXTAUTH_SECRET",
      "A",
      "B",
    );
    const value = constantFrom("old", '"old one"', "'o=ld'", '""', "", '"o\nld"', "old # comment");
    const line = record({ name, value, lead: constantFrom("", "export ", "  "), eol: constantFrom("\n", "\r\n") });
    assert(
      property(array(line, { maxLength: 8 }), (lines) => {
        const text = lines.map(({ lead, name, value, eol }) => `${lead}${name}=${value}${eol}`).join("");
        const rotated = rotateSecret(text, NEW).text;
        expect(secretsOf(rotated)).toEqual([NEW, ...secretsOf(text)].slice(0, 4));
        const { A, B } = parseEnv(text);
        expect(parseEnv(rotated)).toMatchObject({
          ...(A === undefined ? {} : { A }),
          ...(B === undefined ? {} : { B }),
        });
      }),
      { numRuns: 500 },
    );
  });
});
