import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const AUTH = `import NextAuth from "next-auth";
import { shape } from "./shape";
declare module "next-auth" {
  interface Session { user: { id: string; role: string } }
}
export const { auth } = NextAuth({ providers: [], session: { strategy: "jwt" }, callbacks: { session: shape } });
`;
const SETS = "session.user.id = token.sub;";
const READS_ID = "export const of = (session) => session.user.id;\n";
const READS_ROLE = "export const of = (session) => session.user.role;\n";

/** What is left to do by hand in an application whose callback is a function of another file. */
function leftOf(body: string, reader: string): readonly string[] {
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "5.0.0-beta.25" } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/auth.ts", AUTH],
      ["/shape.ts", `export async function shape({ session, token }) {\n  ${body}\n  return session;\n}\n`],
      ["/reader.ts", reader],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return result.report.filter(({ kind }) => kind === "left").map(({ what }) => what);
}

describe("keepSessionUserId()", () => {
  it("reads a callback that is a function of another file", () => {
    expect(leftOf(SETS, READS_ID)).toEqual([]);
    expect(leftOf("", READS_ID)).toEqual([expect.stringContaining("`session.user.id` is read")]);
  });

  it("asks for none where the callback takes the whole token, which may have it", () => {
    expect(leftOf("session = { ...session, user: { ...session.user, ...token } };", READS_ID)).toEqual([]);
    expect(leftOf("session = { ...session, user: { ...session.user } };", READS_ID)).toHaveLength(1);
  });

  it("asks for an id only if one is read, not for other members", () => {
    expect(leftOf("", READS_ROLE)).toEqual([]);
  });
});
