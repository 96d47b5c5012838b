import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkApplication, describeProblem, emitDeclarations } from "./declarations.ts";

/** What an application writes that uses the addition `extra` of an interface. */
const uses: Readonly<Record<string, string>> = {
  Session: "session: ({ session }) => { const extra: 'x' | undefined = session.extra; return { ...session, extra } }",
  User: "signIn: ({ user }) => user.extra === 'x'",
  JWT: "jwt: ({ token }) => { const extra: 'x' | undefined = token.extra; return { ...token, extra } }",
  AdapterUser:
    "session: ({ session, user }) => { const extra: 'x' | undefined = user.extra; return { ...session, extra } }",
  Account: "jwt: ({ token, account }) => { const extra: 'x' | undefined = account?.extra; return { ...token, extra } }",
};

const of: Readonly<Record<string, readonly string[]>> = {
  "@cardea/core": ["Session", "User", "JWT", "AdapterUser", "Account"],
  "@cardea/core/types": ["Session", "User", "JWT", "AdapterUser", "Account"],
  "@cardea/core/jwt": ["JWT"],
  "@cardea/core/adapters": ["AdapterUser", "User"],
  "@cardea/core/providers": ["User"],
  "@cardea/next": ["Session", "User", "JWT", "Account"],
  "@cardea/next/jwt": ["JWT"],
  "@cardea/express": ["Session", "User", "JWT", "Account"],
};

describe("module augmentation", { timeout: 120_000 }, () => {
  const declarations = emitDeclarations(["core", "client", "next", "express"]);

  it.each(Object.entries(of))("of %s reaches what it holds", (module, names) => {
    const parts = names.map(
      (name) => `
      declare module "${module}" { interface ${name} { extra?: "x" | undefined } }
      export const with${name} = createAuth({ providers: [], callbacks: { ${uses[name]} } });`,
    );
    const source = `import type {} from "${module}";\nimport { createAuth } from "@cardea/core";\n${parts.join("")}`;
    const file = join(import.meta.dirname, "written.ts");
    const problems = checkApplication(declarations, [], { [file]: source }, [file]);
    expect(problems.map(describeProblem)).toEqual([]);
  });
});
