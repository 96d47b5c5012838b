import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkLayers } from "./check-layers.mjs";

/** Problems of a tree with one package. */
function check(name, files) {
  const root = mkdtempSync(join(tmpdir(), "cardea-layers-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ "../package.json": "{}", "b.ts": "export {};\n", ...files })) {
    const target = join(root, "packages", name, "src", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return checkLayers(root);
}

it.each([
  ["core", "http/a.ts", 'import { x } from "../actions/c.ts";', { "actions/c.ts": "export const x = 1;" }],
  ["core", "protocol/a.ts", 'export const a = (b: { Date: string }) => ({ process: b.Date, c: new URL("x:") });'],
  ["core", "model/a.ts", "export interface A { readonly at: Date; fetch: typeof fetch }"],
  ["providers-x", "index.ts", 'import type { User } from "@cardea/core/types";'],
  ["express", "index.ts", '// csrf is handled by core\nexport { skipCSRFCheck } from "@cardea/core";'],
  ["core", "actions/a.test.ts", 'import { x } from "./c.ts";', { "actions/c.ts": "export const x = 1;" }],
  [
    "core",
    "../test/hostile/a.test.ts",
    'import "../harness/c.ts";',
    { "../test/harness/c.ts": 'import "@cardea/core";' },
  ],
  ["express", "../test/a.test.ts", 'import { b } from "../src/b.ts";'],
  ["express", "../test/a.test.ts", 'import "../../core/test/harness/harness.ts";'],
  ["express", "a.test.ts", 'import { isLong } from "../../testing/src/long-form.ts";'],
  ["express", "a.test.ts", 'import { openSqlite } from "../../adapter-kysely/src/databases/sqlite.ts";'],
])("accepts in %s %s: %s", (name, path, text, others = {}) => {
  expect(check(name, { [path]: text, ...others })).toEqual([]);
});

it.each([
  ["core", "model/a.ts", 'import type { A } from "../http/c.ts";', { "http/c.ts": "export {};" }],
  ["core", "model/a.ts", 'import "../index.ts";', { "index.ts": "export {};" }],
  ["core", "actions/a.ts", 'import "./c.ts";', { "actions/c.ts": "export {};" }],
  ["core", "actions/a.ts", 'import type { A } from "../accounts/c.ts";', { "accounts/c.ts": "export {};" }],
  ["core", "email/a.ts", 'import "../oauth/c.ts";', { "oauth/c.ts": "export {};" }],
  ["core", "email/a.ts", 'import * as oauth from "oauth4webapi";'],
  ["core", "session/a.ts", 'import { jwtDecrypt } from "jose";'],
  ["core", "index.ts", 'import "./b";'],
  ["core", "index.ts", 'import "../../express/src/index.ts";'],
  ["core", "a.ts", 'import type { C } from "./c.ts";', { "c.ts": 'import { A } from "./a.ts";' }],
  ["core", "protocol/a.ts", "export const a = Date.now();"],
  ["core", "protocol/a.ts", "export type A = (r: Request) => void;"],
  ["core", "model/a.ts", "export const a = (now: Date) => now > new Date();"],
  ["core", "protocol/a.ts", 'export type A = import("../server/c.ts").C;', { "server/c.ts": "export {};" }],
  ["core", "protocol/a.ts", "export const a = () => import(`../server/c.ts`);", { "server/c.ts": "export {};" }],
  ["providers-x", "index.ts", 'import { Auth } from "@cardea/core";'],
  ["adapter-x", "index.ts", 'import type { Provider } from "@cardea/core/providers";'],
  ["express", "index.ts", 'import { b } from "@cardea/testing";'],
  ["express", "index.ts", "const csrfToken = 1;"],
  ["core", "../test/hostile/a.test.ts", 'import "../../src/b.ts";'],
  ["core", "../test/harness/a.ts", 'export type A = import("../../src/b.ts").B;'],
  ["core", "../test/hostile/a.test.ts", 'const b = await import("../../src/b.ts");'],
  ["express", "../test/a.ts", 'import "../../core/src/index.ts";'],
  ["express", "a.test.ts", 'import type { A } from "../../core/src/index.ts";'],
  ["express", "a.test.ts", 'import { b } from "../../adapter-kysely/src/table.ts";'],
])("refuses in %s %s: %s", (name, path, text, others = {}) => {
  expect(check(name, { [path]: text, ...others })).toHaveLength(1);
});

it("accepts 119 lines of code in a new binding, whatever its comments, and refuses 120", () => {
  const line = "// one\n\nexport {};\n/**\n * Two.\n */\n";
  const b = "export {};\n";
  expect(check("fastify", { "a.ts": line.repeat(100), "b.ts": b.repeat(19), "c.test.ts": b.repeat(9) })).toEqual([]);
  const [problem] = check("fastify", { "a.ts": line.repeat(101), "b.ts": b.repeat(19) });
  expect(problem).toContain("packages/fastify/src has 120 lines of code");
});
