import { describe, expect, it } from "vitest";
import { checkLayers } from "./check-layers.mjs";
import { plantPackage, plantTree } from "./plant-tree.mjs";

const core = (files) => checkLayers(plantPackage("core", files));
const empty = "export {};\n";

describe("checkLayers()", () => {
  it("accepts what the table allows", () => {
    const problems = core({
      "index.ts": 'export { handle } from "./request/handle.ts";\n',
      "request/handle.ts": 'import { signin } from "../actions/signin.ts";\nexport const handle = signin;\n',
      "actions/index.ts": 'import { signin } from "./signin.ts";\nexport const table = { signin };\n',
      "actions/signin.ts": 'import "../flows/oauth-start.ts";\nexport const signin = 1;\n',
      "flows/oauth-start.ts": 'import "./oauth-server.ts";\nimport "./complete-sign-in.ts";\n',
      "flows/oauth-server.ts": 'import * as oauth from "oauth4webapi";\nexport { oauth };\n',
      "flows/complete-sign-in.ts": empty,
      "crypto/jwt.ts": 'import { EncryptJWT } from "jose";\nexport { EncryptJWT };\n',
    });
    expect(problems).toEqual([]);
  });

  it("refuses a folder that the table does not allow, as type and as value", () => {
    const files = { "request/parse.ts": empty, "model/result.ts": empty, "new-room/room.ts": empty, "index.ts": empty };
    for (const specifier of ["../request/parse.ts", "../new-room/room.ts"]) {
      expect(core({ ...files, "flows/email.ts": `import type { A } from "${specifier}";` })).toHaveLength(1);
      expect(core({ ...files, "flows/email.ts": `export * from "${specifier}";` })).toHaveLength(1);
      expect(core({ ...files, "flows/email.ts": `export const late = () => import("${specifier}");` })).toHaveLength(1);
      expect(core({ ...files, "flows/email.ts": `export type A = import("${specifier}").A;` })).toHaveLength(1);
    }
    expect(core({ ...files, "new-room/room.ts": 'import "../model/result.ts";' })[0]).toContain("does not know");
    expect(core({ ...files, "request/parse.ts": 'import "../index.ts";' })[0]).toContain("no folder imports the root");
  });

  it("refuses a package outside of its folder or file", () => {
    expect(core({ "session/jwt-strategy.ts": 'import { jwtDecrypt } from "jose";' })).toHaveLength(1);
    expect(core({ "flows/email.ts": 'import * as oauth from "oauth4webapi";' })[0]).toContain("only files like");
    expect(core({ "index.ts": 'import * as z from "zod/mini";' })).toHaveLength(1);
    expect(core({ "config/env.ts": 'import { env } from "node:process";' })).toHaveLength(1);
    expect(core({ "config/env.ts": 'import * as z from "zod/mini";' })).toEqual([]);
  });

  it("refuses an action that imports another, and a ceremony that imports another", () => {
    const actions = { "actions/signin.ts": 'import "./callback.ts";', "actions/callback.ts": empty };
    expect(core(actions)[0]).toContain("two actions");
    expect(core({ "flows/email.ts": 'import "./oauth-start.ts";', "flows/oauth-start.ts": empty })[0]).toContain(
      "ceremonies",
    );
  });

  it("refuses a path without extension and a path out of the package", () => {
    expect(core({ "index.ts": 'import "./types";', "types.ts": empty })[0]).toContain("extension .ts");
    expect(core({ "index.ts": 'import "../../express/src/index.ts";' })[0]).toContain("outside of its package");
  });

  it("refuses a cycle, of types and in tests too", () => {
    const cycle = { "a.ts": 'import type { B } from "./b.ts";', "b.ts": 'import { A } from "./a.ts";' };
    expect(core(cycle)).toEqual([expect.stringContaining("a.ts → packages/core/src/b.ts → packages/core/src/a.ts")]);
    expect(core({ "a.test.ts": 'import "./b.test.ts";', "b.test.ts": 'import "./a.test.ts";' })).toHaveLength(1);
  });

  it("exempts tests from the table", () => {
    expect(core({ "protocol/a.test.ts": 'import { x } from "@cardea/testing";\nDate.now();' })).toEqual([]);
    expect(core({ "safety/harness.ts": 'import { x } from "@cardea/testing";' })).toEqual([]);
  });

  it("refuses sources that import the test-only folder", () => {
    const found = core({ "index.ts": 'import { x } from "./safety/harness.ts";', "safety/harness.ts": empty });
    expect(found).toEqual([expect.stringContaining("imports the test")]);
  });

  it.each([
    "export const a = Date.now();",
    "export const a = new Date();",
    "export const a = () => Math.random();",
    "export const a = crypto.subtle;",
    "export const a = { fetch };",
    'export const a = process.env["A"];',
    "export const a = (b: unknown) => b instanceof Response;",
    "export class A extends Request {}",
    "console.log(1);",
    "setTimeout(() => {}, 1);",
  ])("refuses a global in a pure folder: %s", (text) => {
    expect(core({ "protocol/a.ts": text })).toHaveLength(1);
    expect(core({ "model/a.ts": text })).toHaveLength(1);
    expect(core({ "flows/email.ts": text })).toEqual([]);
  });

  it("lets model, but not protocol, name globals as types", () => {
    const text =
      "export interface A { readonly at: Date; fetch: typeof fetch }\nexport type B = (r: Request) => Response;";
    expect(core({ "model/a.ts": text })).toEqual([]);
    expect(core({ "protocol/a.ts": text })).toHaveLength(4);
  });

  it("lets protocol use URL, and names that only look like globals", () => {
    const text = 'export const a = (b: { Date: string }) => ({ process: b.Date, c: new URL("x:"), d: Math.max(1) });';
    expect(core({ "protocol/a.ts": text })).toEqual([]);
  });

  it("keeps providers and adapters to their entry points", () => {
    const provider = (text) => checkLayers(plantPackage("providers-x", { "index.ts": text }));
    expect(provider('import type { Provider } from "@cardea/core/providers";')).toEqual([]);
    expect(provider('import type { User } from "@cardea/core/types";')).toEqual([]);
    expect(provider('import { User } from "@cardea/core/types";')).toHaveLength(1);
    expect(provider('import { Auth } from "@cardea/core";')).toHaveLength(1);
    const adapter = (text) => checkLayers(plantPackage("adapter-x", { "index.ts": text }));
    expect(adapter('import type { Adapter } from "@cardea/core/adapters";')).toEqual([]);
    expect(adapter('import type { Provider } from "@cardea/core/providers";')).toHaveLength(1);
  });

  it("keeps @cardea/testing out of sources", () => {
    expect(checkLayers(plantPackage("express", { "a.ts": 'import { b } from "@cardea/testing";' }))).toHaveLength(1);
  });

  it.each([
    "const csrfToken = 1;",
    'const a = "/auth/csrf";',
    "const a = b.pkceVerifier;",
    "const a = readJWT();",
    "const state = 1;",
    "const a = `x$" + "{b} nonce`;",
  ])("refuses a binding that knows too much: %s", (text) => {
    expect(checkLayers(plantPackage("express", { "index.ts": text }))).toHaveLength(1);
    expect(checkLayers(plantPackage("testing", { "index.ts": text }))).toEqual([]);
  });

  it("lets a binding re-export, comment, and use words that only contain such a word", () => {
    const text =
      '// csrf is core\'s business\nexport { skipCSRFCheck, type JWT } from "@cardea/core";\nconst statement = 1;';
    expect(checkLayers(plantPackage("express", { "index.ts": text }))).toEqual([]);
  });

  it("finds nothing in an empty tree", () => {
    expect(checkLayers(plantTree({}))).toEqual([]);
  });
});
