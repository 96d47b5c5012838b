import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { checkApplication, checkSource, describeProblem, emitDeclarations, foreignPackageOf } from "./declarations.mjs";

const folder = join(import.meta.dirname, "types");
const files = readdirSync(folder)
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(folder, name));

/** Packages whose own declarations do not compile without `skipLibCheck`, anyone who uses them. */
const KNOWN_TO_FAIL = ["@auth/core", "@hexagon/base64", "@simplewebauthn/server", "next", "unstorage"];

// Made once for both parts: the compiler takes longer for them than for most of what follows.
const used = ["core", "client", "next", "express", "providers-credentials", "providers-email", "providers-github"];
const problemsOfEmit = emitDeclarations([...used, "providers-google"]);

describe("an application that was written for Auth.js", () => {
  it("compiles strictly, declarations included (docs/from-authjs.md#type-skip-lib-check, docs/from-authjs.md#adapter-users)", async () => {
    expect(await problemsOfEmit).toEqual([]);
    const problems = await checkApplication(files);
    const ours = problems.filter((problem) => foreignPackageOf(problem) === undefined);
    expect(ours.map(describeProblem)).toEqual([]);
    const foreign = new Set(problems.flatMap((problem) => foreignPackageOf(problem) ?? []));
    expect([...foreign].filter((name) => !KNOWN_TO_FAIL.includes(name))).toEqual([]);
  });

  it("is shown by at least forty snippets", () => {
    const numbers = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^\/\/ (\d+)\. /gm)].map(([, number]) => Number(number)),
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(40);
  });
});

/** What an application writes that uses the addition `extra` of an interface. */
const uses = {
  Session: "session: ({ session }) => { const extra: 'x' | undefined = session.extra; return { ...session, extra } }",
  User: "signIn: ({ user }) => user.extra === 'x'",
  JWT: "jwt: ({ token }) => { const extra: 'x' | undefined = token.extra; return { ...token, extra } }",
  AdapterUser:
    "session: ({ session, user }) => { const extra: 'x' | undefined = user.extra; return { ...session, extra } }",
  Account: "jwt: ({ token, account }) => { const extra: 'x' | undefined = account?.extra; return { ...token, extra } }",
};

const of = {
  "@cardea/core": ["Session", "User", "JWT", "AdapterUser", "Account"],
  "@cardea/core/types": ["Session", "User", "JWT", "AdapterUser", "Account"],
  "@cardea/core/jwt": ["JWT"],
  "@cardea/core/adapters": ["AdapterUser", "User"],
  "@cardea/core/providers": ["User"],
  "@cardea/next": ["Session", "User", "JWT", "Account"],
  "@cardea/next/jwt": ["JWT"],
  "@cardea/express": ["Session", "User", "JWT", "Account"],
};

/** Each is a run of the compiler. */
const modules = Object.entries(of).filter(([name]) => isLong || /^@cardea\/(?:core|core\/jwt|next)$/.test(name));

describe("module augmentation", () => {
  it.each(modules)("of %s reaches what it holds", async (module, names) => {
    const parts = names.map(
      (name) => `
      declare module "${module}" { interface ${name} { extra?: "x" | undefined } }
      export const with${name} = createAuth({ providers: [], callbacks: { ${uses[name]} } });`,
    );
    const source = `import type {} from "${module}";\nimport { createAuth } from "@cardea/core";\n${parts.join("")}`;
    await problemsOfEmit;
    const problems = await checkSource(module, source);
    expect(problems.map(describeProblem)).toEqual([]);
  });
});
