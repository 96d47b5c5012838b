/** The entries that only read, bundled into one file as applications do it: nothing of a sign-in comes along, and the file reads sessions. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { createTestSession } from "@cardea/testing";
import { build as buildWithEsbuild } from "esbuild";
import { build as buildWithRolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const packages = join(import.meta.dirname, "../../packages");
const ENTRIES = {
  "@cardea/core/read": join(packages, "core/dist/read.js"),
  "@cardea/next/middleware": join(packages, "next/dist/middleware.js"),
} as const;

/** The application has what a shared configuration has: providers of every type, which count by id and path alone. */
const application = (entry: string) => `
import { createAuth } from ${JSON.stringify(entry)};
const oidc = { id: "op", name: "OP", type: "oidc", issuer: "https://op.example", clientId: "a", clientSecret: "b" };
const password = { id: "password", name: "Password", type: "credentials", authorize: () => null };
export const { auth } = createAuth({
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  providers: [oidc, password],
  callbacks: { authorized: ({ auth }) => auth !== null },
});
`;

/** What only a part brings along, in its own words: OAuth and its library, e-mail, a page, the checks of options. */
const PARTS = [
  /pushed_authorization_request|token_endpoint/,
  /sendVerificationRequest/,
  /<!doctype html>|<form/i,
  /maybe you mean|is almost the name/i,
];

const isExternal = (id: string) => /^(?:next|react)(?:\/|$)/.test(id);

type Bundle = (from: string, to: string) => Promise<unknown>;

const BUNDLERS: Readonly<Record<string, Bundle>> = {
  esbuild: (from, to) =>
    buildWithEsbuild({
      ...{ entryPoints: [from], outdir: to, bundle: true, format: "esm", platform: "neutral", minify: true },
      ...{ mainFields: ["module", "main"], external: ["next/*", "react"], tsconfigRaw: {}, logLevel: "error" },
    }),
  rolldown: (from, to) =>
    buildWithRolldown({
      ...{ input: from, platform: "neutral", tsconfig: false, external: isExternal, logLevel: "silent" },
      output: { dir: to, codeSplitting: false, minify: true },
    }),
  Vite: async (from, to) => {
    const { resolve } = createRequire(join(import.meta.dirname, "../bindings/sveltekit/package.json"));
    const { build } = await import(pathToFileURL(resolve("vite")).href);
    return build({
      ...{ root: to, configFile: false, logLevel: "silent", ssr: { target: "webworker", noExternal: true } },
      build: { ssr: from, outDir: to, emptyOutDir: false, minify: true, rolldownOptions: { external: isExternal } },
    });
  },
};

/** The application's file, and the text of every file that it may load: rolldown also writes some that nothing loads. */
function readReachable(folder: string): { readonly start: string; readonly text: string } {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /js$/.test(file));
  const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
  const reached = new Set(files.filter((file) => /^application\.m?js$/.test(file)));
  for (const file of reached) {
    const text = textOf(file);
    for (const other of files) if (text.includes(basename(other))) reached.add(other);
  }
  const [first = ""] = reached;
  return { start: join(folder, first), text: [...reached].map(textOf).join("\n") };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, "node_modules/.bundled-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(BUNDLERS))("%s", (name, bundle) => {
  it.each(Object.entries(ENTRIES))("bundles %s without a part, and the file reads and guards", async (id, entry) => {
    const to = mkdtempSync(join(folder, `${name}-`));
    writeFileSync(join(to, "application.mjs"), application(entry));
    await bundle(join(to, "application.mjs"), join(to, "dist"));
    const { start, text } = readReachable(join(to, "dist"));
    expect(PARTS.filter((part) => part.test(text))).toEqual([]);
    if (id !== "@cardea/core/read") return;
    const { auth } = await import(pathToFileURL(start).href);
    const url = "https://app.example.com";
    const { header } = await createTestSession(
      { secret: "a secret of more than thirty-two bytes for tests", trustHost: true, providers: [] },
      { url, user: { id: "7", name: "Grace" } },
    );
    const guarded = auth((request: Request & { auth: unknown }) => Response.json(request.auth));
    const member = await guarded(new Request(`${url}/members`, { headers: { cookie: header } }));
    expect(await member.json()).toMatchObject({ user: { name: "Grace" } });
    const visitor = await guarded(new Request(`${url}/members`));
    expect([visitor.status, new URL(visitor.headers.get("location") ?? url).pathname]).toEqual([302, "/auth/signin"]);
  });
});
