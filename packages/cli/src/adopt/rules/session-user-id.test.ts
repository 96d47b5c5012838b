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

function move(
  files: Readonly<Record<string, string>>,
  dependencies: Readonly<Record<string, string>> = { next: "15.0.0", "next-auth": "5.0.0-beta.25" },
) {
  const result = adopt({
    files: new Map([["/package.json", JSON.stringify({ dependencies })], ...Object.entries(files)]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return {
    left: result.report.filter(({ kind }) => kind === "left").map(({ what }) => what),
    look: result.report.filter(({ kind }) => kind === "look").map(({ what }) => what),
    read: (path: string) => result.files.get(path) ?? "",
  };
}

/** What is left to do by hand in an application whose callback is a function of another file. */
function leftOf(body: string, reader: string): readonly string[] {
  const shape = `export async function shape({ session, token }) {\n  ${body}\n  return session;\n}\n`;
  return move({ "/auth.ts": AUTH, "/shape.ts": shape, "/reader.ts": reader }).left;
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

  it("asks for none where it cannot know: the callback, or what it calls, is not part of the application", () => {
    expect(move({ "/auth.ts": AUTH.replace("./shape", "@acme/shape"), "/reader.ts": READS_ID }).left).toEqual([]);
    const calls = AUTH.replace("session: shape", "session: ({ session, token }) => shape(session, token)");
    expect(move({ "/auth.ts": calls.replace("./shape", "@acme/shape"), "/reader.ts": READS_ID }).left).toEqual([]);
    expect(leftOf("Object.assign(session.user, profile);", READS_ID)).toEqual([]);
    expect(leftOf("session.user = userOf(token);", READS_ID)).toEqual([]);
  });

  it("takes other libraries' data for no session", () => {
    const other = 'import { client } from "other";\nexport const id = (await client.get()).data.user.id;\n';
    expect(leftOf("", other)).toEqual([]);
    const own =
      'import { useSession } from "next-auth/react";\nconst { data } = useSession();\nexport const id = data.user.id;\n';
    expect(leftOf("", own)).toHaveLength(1);
  });

  it("asks for an id only if one is read, not for other members", () => {
    expect(leftOf("", READS_ROLE)).toEqual([]);
  });

  it("reads the functions that a callback calls", () => {
    const files = {
      "/auth.ts": AUTH.replace("callbacks: { session: shape }", "callbacks: { session: (given) => shape(given) }"),
      "/reader.ts": READS_ID,
    };
    const shape = (body: string) => `export function shape({ session, token }) {\n  ${body}\n  return session;\n}\n`;
    expect(move({ ...files, "/shape.ts": shape(SETS) }).left).toEqual([]);
    expect(move({ ...files, "/shape.ts": shape("") }).left).toHaveLength(1);
  });

  it.each([
    "const { banned } = session.user",
    "const { user: { banned } } = session",
    'const banned = session["user"]["banned"]',
  ])("adds a declared column in every spelling, and names the others: %s", (reads) => {
    const files = {
      "/auth.ts":
        'import NextAuth from "next-auth";\ndeclare module "next-auth" {\n  interface Session { user: { banned: boolean; unread: string } }\n}\nexport const { auth } = NextAuth({ adapter, providers: [one] });\n',
      "/page.ts": `import { auth } from "./auth";\nexport const page = async () => { const session = await auth(); ${reads}; return banned; };\n`,
    };
    const { read, look } = move(files);
    expect(read("/auth.ts")).toContain('banned: (user as unknown as import("@cardea/next").Session["user"]).banned');
    expect(read("/auth.ts")).not.toContain(").unread");
    expect(look).toContain("`session.user` no longer has every column of the user's row");
  });

  it("leaves the instance of a middleware out, wherever its file is", () => {
    const files = {
      "/reader.ts": READS_ID,
      "/middleware.ts": 'import { withAuth } from "next-auth/middleware";\nexport default withAuth({});\n',
      "/app/api/auth/[...nextauth]/route.ts":
        'import NextAuth from "next-auth";\nimport { options } from "../../../../server/auth";\nconst handler = NextAuth(options);\nexport { handler as GET, handler as POST };\n',
      "/server/auth.ts":
        "import { getServerSession, type AuthOptions } from 'next-auth';\nexport const options: AuthOptions = { providers: [one] };\nexport const session = () => getServerSession(options);\n",
    };
    const { left, read } = move(files, { next: "14.2.5", "next-auth": "4.24.7" });
    expect(left).toEqual([]);
    expect(read("/server/auth.ts")).toContain("{ ...session.user, id: token.sub ?? '' }");
    expect(read("/middleware.ts")).not.toContain("token.sub");
  });
});
