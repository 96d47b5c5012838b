import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const HEAD = 'import { PrismaAdapter } from "@auth/prisma-adapter";\nimport NextAuth from "next-auth";\n';

/** What becomes of the adapter's import in a file that uses it like this. */
function move(text: string, more: Readonly<Record<string, string>> = {}): string | undefined {
  const dependencies = { next: "16.0.0", "next-auth": "5.0.0-beta.32", "@prisma/client": "6.1.0" };
  const files = { "/package.json": JSON.stringify({ dependencies }), "/auth.ts": HEAD + text, ...more };
  const result = adopt({ files: new Map(Object.entries(files)) });
  if ("refused" in result) throw new Error(result.refused);
  const after = result.files.get("/auth.ts") ?? HEAD;
  return /(?<=PrismaAdapter \} from ")[^"]+/.exec(after)?.[0];
}

describe("moveAdapter()", () => {
  it.each([
    "export const { auth } = NextAuth({ adapter: PrismaAdapter(db) });\n",
    "export const { auth } = NextAuth({ adapter: PrismaAdapter(db) as Adapter });\n",
    "const adapter = PrismaAdapter(db);\nexport const { auth } = NextAuth({ adapter });\n",
    'const adapter = PrismaAdapter(db);\nexport const { auth } = NextAuth({ "adapter": adapter, events: { createUser: () => adapter.getUser("1") } });\n',
  ])("replaces an adapter that is used as it is: %s", (text) => {
    expect(move(text)).toBe("@cardea/adapter-prisma");
  });

  it.each([
    "export const { auth } = NextAuth({ adapter: { ...PrismaAdapter(db), createUser: refuse } });\n",
    "const base = PrismaAdapter(db);\nexport const { auth } = NextAuth({ adapter: { ...base, linkAccount: refuse } });\n",
    "const adapter = PrismaAdapter(db);\nadapter.createUser = refuse;\nexport const { auth } = NextAuth({ adapter });\n",
    "const adapter = PrismaAdapter(db);\nObject.assign(adapter, { createUser: refuse });\nexport const { auth } = NextAuth({ adapter });\n",
    "export const { auth } = NextAuth({ adapter: invitedOnly(PrismaAdapter(db)) });\n",
    "export const adapterOf = () => PrismaAdapter(db);\n",
    "class Own { base = PrismaAdapter(db); }\n",
  ])("keeps that of npm where its methods may be changed: %s", (text) => {
    expect(move(text)).toBe("@auth/prisma-adapter");
  });

  it("keeps that of npm where another file changes it", () => {
    const text = "export const base = PrismaAdapter(db);\n";
    const config =
      'import NextAuth from "next-auth";\nimport { base } from "./auth";\nexport const { auth } = NextAuth({ adapter: { ...base, createUser: refuse } });\n';
    expect(move(text, { "/config.ts": config })).toBe("@auth/prisma-adapter");
  });
});
