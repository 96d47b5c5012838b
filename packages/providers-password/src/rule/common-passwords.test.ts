import { dictionary } from "@zxcvbn-ts/language-common";
import { describe, expect, it } from "vitest";
import { isCommon } from "./common-passwords.ts";

/** The 3000 most common ones that a rule of eight characters lets through, and all that a rule of fifteen does (ASVS 6.2.4). */
function listed(): string {
  const ranked = [...new Set(dictionary["passwords-common"].map((word: string) => word.toLowerCase()))];
  const long = ranked.filter((word) => word.length >= 8);
  const longer = ranked.filter((word) => word.length >= 15);
  return [...new Set([...long.slice(0, 3000), ...longer])].sort().join(" ");
}

const source = (list: string) => `/**
 * The most common passwords of eight characters and more, by the ranking of @zxcvbn-ts/language-common 4.1.3, MIT
 * licence, copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts. The test next to this file derives
 * the list; \`vitest -u\` updates it.
 */
const LIST =
  "${list}";

let words: ReadonlySet<string> | undefined;

/** Whether a password is a common one, or two of them in a row. Ignores case. */
export function isCommon(password: string): boolean {
  words ??= new Set(LIST.split(" "));
  const known = words;
  const text = password.toLowerCase();
  const isTwo = (at: number) => known.has(text.slice(0, at)) && known.has(text.slice(at));
  return known.has(text) || Array.from(text.slice(0, 64), (_, at) => at).some(isTwo);
}
`;

describe("isCommon()", () => {
  it("has the list of its source", async () => {
    const list = listed();
    expect(list.split(" ").length).toBeGreaterThanOrEqual(3000);
    await expect(source(list)).toMatchFileSnapshot("./common-passwords.ts");
  });

  it.each(["password", "PassWord1", "qwertyuiop12345", "password12345678", "iloveyoupassword"])(
    "knows %s",
    (password) => {
      expect(isCommon(password)).toBe(true);
    },
  );

  it.each(["purple monkey sings", "", "a", "correct horse battery staple"])("does not know %j", (password) => {
    expect(isCommon(password)).toBe(false);
  });
});
