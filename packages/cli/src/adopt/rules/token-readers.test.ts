import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

/** What becomes of statements that call functions of `next-auth/jwt`. */
function move(statement: string, version: "^4.24.7" | "5.0.0-beta.32" = "^4.24.7") {
  const source = `import { decode, encode, getToken } from "next-auth/jwt";\n${statement}\n`;
  const manifest = JSON.stringify({ dependencies: { next: "15.1.0", "next-auth": version } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/lib/token.ts", source],
      ["/lib/read.ts", 'export { getToken as read } from "next-auth/jwt";\n'],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  const notes = result.report.filter(({ what }) => /getToken|code\(\)/.test(what));
  const left = notes.filter(({ kind }) => kind === "left").map(({ what, why }) => `${what}: ${why}`);
  return { text: result.files.get("/lib/token.ts") ?? "", left, looks: notes.filter(({ kind }) => kind === "look") };
}

describe("moveTokenReaders()", () => {
  it.each([
    ["getToken({ req })", 'getToken({ req, extensions: [bridge({ accept: ["nextauth-v4"] })] })'],
    [
      'getToken({ req, cookieName: "next-auth.session-token" })',
      'getToken({ req, extensions: [bridge({ accept: [{ format: "nextauth-v4", cookie: "next-auth.session-token" }] })] })',
    ],
    [
      'getToken({ req, cookieName: live ? "__Secure-next-auth.session-token" : "next-auth.session-token", secureCookie })',
      'getToken({ req, extensions: [bridge({ accept: [{ format: "nextauth-v4", cookie: live ? "__Secure-next-auth.session-token" : "next-auth.session-token" }] })], secureCookie })',
    ],
  ])("gives %s the bridge", (call, expected) => {
    const { text, left } = move(`export const token = ${call.replace("secureCookie", "secureCookie: true")};`);
    expect(text).toContain(expected.replace("secureCookie", "secureCookie: true"));
    expect(text).toContain('import { bridge } from "@cardea/bridge-authjs"');
    expect(left).toEqual([]);
  });

  it.each([
    ['const { getToken: read } = await import("next-auth/jwt"); read({ req });', "read({ req, "],
    ['(await import("next-auth/jwt")).getToken({ req });', ".getToken({ req, "],
    ['import("next-auth/jwt").then(({ getToken: read }) => read({ req }));', "read({ req, "],
    ['import("next-auth/jwt").then((jwt) => jwt.getToken({ req }));', "jwt.getToken({ req, "],
    ['const jwt = require("next-auth/jwt"); jwt["getToken"]({ req });', 'jwt["getToken"]({ req, '],
    ['import jwt = require("next-auth/jwt"); jwt.getToken({ req });', "jwt.getToken({ req, "],
    ['import { read } from "./read"; read({ req });', "read({ req, "],
    ['import * as space from "./read"; space.read({ req });', "space.read({ req, "],
  ])("gives it the bridge in every spelling: %s", (statement, expected) => {
    const { text, left } = move(statement);
    expect(text).toContain(`${expected}extensions: [bridge({ accept: ["nextauth-v4"] })] })`);
    expect(left).toEqual([]);
  });

  it.each([
    'getToken({ req, salt: "authjs.session-token", cookieName: "authjs.session-token" })',
    'getToken({ req, cookieName: "authjs.session-token", salt: "authjs.session-token" })',
  ])("drops a salt that is the name: %s", (call) => {
    const { text, left } = move(`export const token = ${call};`, "5.0.0-beta.32");
    expect(text).toContain(
      '= getToken({ req, extensions: [bridge({ accept: [{ format: "authjs-v5", cookie: "authjs.session-token" }] })] });',
    );
    expect(left).toEqual([]);
  });

  it.each([
    'cookieName: "admin.session"',
    "cookieName: NAME",
    "cookieName",
    'cookieName: "next-auth.session-token", salt: "x"',
    "cookieName: NAME, ...more",
    "decode: own",
  ])("does not read another session in place of `%s`: it says what keeps users signed in", (member) => {
    const call = `getToken({ req, ${member} })`;
    const { text, left } = move(`export const token = ${call};`);
    expect(text).toContain(call);
    expect(left).toEqual([
      expect.stringMatching(/bridge\(\{ accept: \[\{ format: "nextauth-v4", cookie: .*stay signed in/),
    ]);
  });

  it("names `decode()`, which former keys fail, with what reads them, and `encode()`", () => {
    const { left, looks } = move(
      "export const of = (token: string) => decode({ token, secret });\nexport const make = encode;",
    );
    expect(left).toEqual([expect.stringMatching(/^`decode\(\)` .*getToken\(\).*bridge\(.*authorization: "Bearer/)]);
    expect(looks.map(({ what }) => what)).toEqual(["`encode()` makes tokens of Cardea"]);
  });
});
