// Rows of docs/from-authjs.md about types: a source that compiles, or does not, and a control for which it is the other way round.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../tools/compile.mjs";
import { sourcePaths } from "../../tools/source-files.mjs";

const root = join(import.meta.dirname, "../..");

/** What a source needs; `LIBRARY` is one of the two. */
const START = `
import type { AuthConfig } from "LIBRARY";
type Callbacks = NonNullable<AuthConfig["callbacks"]>;
type Events = NonNullable<AuthConfig["events"]>;
type IsAny<T> = 0 extends 1 & T ? true : false;
`;

/** The source of a row, and the control: by default the same source with the types of Auth.js. */
const ROWS = {
  "docs/from-authjs.md#session-event-token": {
    source: `export const token: Parameters<NonNullable<Events["session"]>>[0]["token"] = undefined;`,
  },
  "docs/from-authjs.md#type-user-in-jwt": {
    source: `export const user: Parameters<NonNullable<Callbacks["jwt"]>>[0]["user"] = undefined;`,
  },
  "docs/from-authjs.md#type-claims": {
    source: `
import type { Provider } from "LIBRARY/providers";
type OAuth = Extract<Provider, { type: "oauth" }>;
type Claims = Parameters<Extract<NonNullable<OAuth["profile"]>, (profile: never, tokens: never) => unknown>>[0];
export const claims: IsAny<Claims> = false;
export const update: IsAny<Parameters<NonNullable<Callbacks["jwt"]>>[0]["session"]> = true;`,
  },
  "docs/from-authjs.md#type-provider-ids": {
    source: `import type { BuiltInProviderType } from "LIBRARY/providers"; export const id: BuiltInProviderType = "mine";`,
  },
  "docs/from-authjs.md#adapter-email-null": {
    source: `import type { AdapterUser } from "LIBRARY/adapters"; export const email: AdapterUser["email"] = null;`,
  },
  "docs/from-authjs.md#type-req-auth": {
    source: `
import { createAuth } from "@cardea/next";
const { auth } = createAuth({ providers: [], callbacks: { authorized: ({ auth }) => auth !== null } });
export const handler = auth((req) => {
  const isNullable: null extends typeof req.auth ? true : false = true;
  return Response.json([isNullable, req.auth === null ? null : req.auth.user]);
});`,
    control: `
import { createAuth } from "@cardea/next";
const { auth } = createAuth({ providers: [], callbacks: { authorized: ({ auth }) => auth !== null } });
export const handler = auth((req) => Response.json(req.auth.user));`,
  },
};

/** Problems by file: of a set of sources, compiled together. */
async function problemsOf(sources) {
  const folder = join(import.meta.dirname, "dist/rows");
  mkdirSync(folder, { recursive: true });
  const fileOf = (name) => join(folder, `${name.replace(/\W/g, "-")}.ts`);
  for (const [name, library, source] of sources)
    writeFileSync(fileOf(name), (START + source).replaceAll("LIBRARY", library));
  const paths = Object.fromEntries(Object.entries(sourcePaths(root)).map(([name, path]) => [name, [join(root, path)]]));
  const compilerOptions = { types: ["node"], jsx: "react-jsx", skipLibCheck: true, verbatimModuleSyntax: false, paths };
  const found = await compile({ compilerOptions, files: sources.map(([name]) => fileOf(name)) });
  return (name) => found.filter(({ file }) => file === fileOf(name)).map(({ text }) => text);
}

const augment = (module, name) => `declare module "${module}" { interface Session { ${name}?: string } }`;
const AUGMENTED = [
  augment("@cardea/core", "one"),
  augment("@cardea/core/types", "two"),
  "export const both = (session: import('@cardea/core').Session) => [session.one, session.two];",
].join("\n");

const made = problemsOf([
  ...Object.entries(ROWS).flatMap(([row, { source, control }]) => [
    [`${row} so`, "@cardea/core", source],
    [`${row} control`, control === undefined ? "@auth/core" : "@cardea/core", control ?? source],
  ]),
  ["augmented", "@cardea/core", AUGMENTED],
]);

describe("what a row says of types", { timeout: 300_000 }, () => {
  it.each(Object.keys(ROWS))("%s is so", async (row) => {
    expect((await made)(`${row} so`)).toEqual([]);
  });

  it.each(Object.keys(ROWS))("%s is not so of the control", async (row) => {
    expect((await made)(`${row} control`)).not.toEqual([]);
  });

  it("of one interface in two modules: docs/from-authjs.md#type-augment-once", async () => {
    // That one module is enough is shown in declarations.test.mjs.
    expect((await made)("augmented")).not.toEqual([]);
  });
});
