import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(authorize: string, more: Readonly<Record<string, string>> = {}, nextAuth = "4.24.7") {
  const text = `import Credentials from "next-auth/providers/credentials";
export const options = { providers: [Credentials({ credentials: { name: {} }, ${authorize} })] };
`;
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": nextAuth } });
  const files = new Map(Object.entries({ "/package.json": manifest, "/auth.ts": text, ...more }));
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  const notes = result.report.filter(({ what }) => /throw|result of/.test(what));
  return { read: (path: string) => result.files.get(path) ?? files.get(path) ?? "", notes, added: result.added };
}

const body = (statement: string) =>
  `authorize: async (fields: Fields) => { if (!fields.name) { ${statement} } return null; }`;

describe("moveThrownTexts()", () => {
  it.each([
    ['throw new Error("Wrong password");', 'throw new CredentialsSignin("Wrong password");'],
    ['throw Error("Wrong password")', 'throw new CredentialsSignin("Wrong password")'],
    ["throw new Error();", "throw new CredentialsSignin();"],
    ["throw new Error(`No name`);", "throw new CredentialsSignin(`No name`);"],
    ['throw new Error(JSON.stringify({ a: "b" }));', 'throw new CredentialsSignin(JSON.stringify({ a: "b" }));'],
    ['throw "Wrong password";', 'throw new CredentialsSignin("Wrong password");'],
    ["throw new Error(texts.wrong, { cause });", "throw new CredentialsSignin(texts.wrong, { cause });"],
  ])("moves %s", (before, after) => {
    const { read, notes, added } = move(body(before));
    expect(read("/auth.ts")).toContain(body(after));
    expect(read("/auth.ts")).toContain('import { CredentialsSignin } from "@cardea/next";');
    expect(added).toContain("@cardea/next");
    expect(notes).toEqual([
      expect.objectContaining({ kind: "changed", line: 3, why: expect.stringContaining("code=credentials") }),
    ]);
  });

  it("names code that reads the text in the browser", () => {
    const page = (member: string) => ({
      "/page.tsx": `import { signIn } from "next-auth/react";\nexport const enter = async (fields) => {\n  const result = await signIn("credentials", { ...fields, redirect: false });\n  return result.${member};\n};\n`,
    });
    const named = expect.objectContaining({ kind: "look", file: "page.tsx", line: 3 });
    expect(move(body('throw new Error("Wrong");'), page("error")).notes).toContainEqual(named);
    for (const { notes } of [move(body('throw new Error("Wrong");'), page("ok")), move(body(""), page("error"))])
      expect(notes).not.toContainEqual(named);
  });

  it("finds a function of another file", () => {
    const given = {
      "/auth.ts":
        'import Credentials from "next-auth/providers/credentials";\nimport { login } from "./login";\nexport const options = { providers: [Credentials({ credentials: {}, authorize: login })] };\n',
    };
    const own = move("", {
      ...given,
      "/login.ts": 'export async function login(fields) {\n  throw new Error("Wrong password");\n}\n',
    });
    expect(own.read("/login.ts")).toContain('throw new CredentialsSignin("Wrong password");');
    expect(own.read("/login.ts")).toContain('import { CredentialsSignin } from "@cardea/next";');
  });

  it.each(["throw error;", "throw new WrongPassword();", "throw response;"])(
    "names what is not a text: %s",
    (statement) => {
      const { read, notes } = move(body(statement));
      expect(read("/auth.ts")).toContain(statement);
      expect(notes).toEqual([
        expect.objectContaining({ kind: "look", what: "`authorize` throws something other than a text" }),
      ]);
    },
  );

  it("keeps errors outside of `authorize`, and those of Auth.js v5", () => {
    const outside = move("authorize: () => null", {
      "/other.ts": 'export const f = () => { throw new Error("a"); };\n',
    });
    expect(outside.notes).toEqual([]);
    const v5 = move(body('throw new Error("a");'), {}, "5.0.0-beta.25");
    expect([v5.notes, v5.read("/auth.ts")]).toEqual([[], expect.stringContaining('throw new Error("a");')]);
  });
});
