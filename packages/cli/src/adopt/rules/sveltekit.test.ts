import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const AUTH =
  'import { SvelteKitAuth } from "@auth/sveltekit"\nexport const { handle } = SvelteKitAuth({ providers: [] })\n';

function move(files: Readonly<Record<string, string>>) {
  const manifest = JSON.stringify({ dependencies: { "@sveltejs/kit": "2.70.0", "@auth/sveltekit": "1.11.3" } });
  const all = { "/package.json": manifest, "/tsconfig.json": "{}", "/src/auth.ts": AUTH, ...files };
  const result = adopt({ files: new Map(Object.entries(all)) });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind }) => kind === "left").map(({ file, line }) => `${file}:${line}`);
  return { read: (path: string) => result.files.get(path), left, added: result.added, removed: result.removed };
}

describe("moveSvelteKit()", () => {
  it("makes a module for the functions of the browser, which call /auth", () => {
    const { read, left, added, removed } = move({
      "/src/routes/+page.svelte":
        "<script>\n\timport { signIn, signOut } from '@auth/sveltekit/client';\n</script>\n<button on:click={() => signIn('github')}>In</button>\n",
      "/src/lib/leave.ts": 'import { signOut } from "@auth/sveltekit/client"\nexport const leave = () => signOut()\n',
    });
    expect(read("/src/routes/+page.svelte")).toBe(
      "<script>\n\timport { signIn, signOut } from '$lib/auth-client';\n</script>\n<button on:click={() => signIn('github')}>In</button>\n",
    );
    expect(read("/src/lib/leave.ts")).toContain('import { signOut } from "$lib/auth-client"\n');
    expect(read("/src/lib/auth-client.ts")).toBe(
      'import { createClient } from "@cardea/client";\n\nexport const { signIn, signOut } = createClient({ basePath: "/auth" });\n',
    );
    expect(left).toEqual([]);
    expect(added).toContain("@cardea/client");
    expect(removed).toEqual(["@auth/sveltekit"]);
  });

  it("takes a free name, in JavaScript, and the base path of the application", () => {
    const { read } = move({
      "/tsconfig.json": "",
      "/src/lib/auth-client.js": "export {};\n",
      "/svelte.config.js": 'export default { kit: { paths: { base: "/app" } } };\n',
      "/a.svelte": '<script>import { signIn } from "@auth/sveltekit/client"</script>',
    });
    expect(read("/a.svelte")).toBe('<script>import { signIn } from "$lib/cardea-client"</script>');
    const text = ["ts", "js"].map((ending) => read(`/src/lib/cardea-client.${ending}`)).join("");
    expect(text).toContain('import { base } from "$app/paths";');
    expect(text).toContain('createClient({ basePath: base + "/auth" })');
  });

  it.each([
    ["export const handle = SvelteKitAuth({ providers: [] })", "export const handle = SvelteKitAuth({ providers: [], "],
    ["export const handle = sequence(SvelteKitAuth({ providers: [] }), other)", "export const handle = sequence("],
    [
      "const first = SvelteKitAuth({ providers: [] }) satisfies Handle\nexport const handle = sequence(first, other)",
      "",
    ],
    ["const first = on ? SvelteKitAuth({ providers: [] }) : none\nexport const handle = sequence(first, other)", ""],
  ])("takes `handle` from the result: %s", (text, start) => {
    const { read } = move({ "/src/hooks.server.ts": `import { SvelteKitAuth } from "@auth/sveltekit"\n${text}\n` });
    const moved = read("/src/hooks.server.ts") ?? "";
    expect(moved).toContain(start);
    expect(moved).toMatch(/SvelteKitAuth\(\{.*\}\)\.handle\b/);
  });

  it.each([
    "const auth = SvelteKitAuth({ providers: [] })\nexport const handle = auth.handle",
    "const auth = SvelteKitAuth({ providers: [] })\nexport const handle = sequence(auth.handle, other)",
    "export const { handle: guard } = SvelteKitAuth({ providers: [] })",
    "export const handle = SvelteKitAuth({ providers: [] }).handle",
  ])("leaves a result of which members are used: %s", (text) => {
    const { read } = move({ "/src/hooks.server.ts": `import { SvelteKitAuth } from "@auth/sveltekit"\n${text}\n` });
    expect(read("/src/hooks.server.ts")).not.toMatch(/\)\.handle\.handle|\]\s*\}\)\.handle.*\n.*auth\.handle/);
    const count = (given: string) => given.split(".handle").length;
    expect(count(read("/src/hooks.server.ts") ?? "")).toBe(count(text));
  });

  it("calls `locals.auth` by its name", () => {
    const { read } = move({
      "/src/routes/+layout.server.ts":
        "export const load = async (event) => ({ session: await event.locals.getSession() })\n",
      "/src/routes/a/+page.server.ts":
        "export const load = async ({ locals: { getSession } }) => ({ session: await getSession() })\n",
      "/src/routes/b/+page.server.ts": "const { getSession: read } = event.locals\n",
    });
    expect(read("/src/routes/+layout.server.ts")).toContain("await event.locals.auth()");
    expect(read("/src/routes/a/+page.server.ts")).toContain("locals: { auth: getSession } }");
    expect(read("/src/routes/b/+page.server.ts")).toContain("{ auth: read } = event.locals");
  });

  it("leaves a `locals.getSession` that the application itself sets", () => {
    const { read } = move({
      "/src/hooks.server.ts":
        "export const handle = ({ event, resolve }) => { event.locals.getSession = mine; return resolve(event) }\n",
      "/src/routes/+layout.server.ts": "export const load = ({ locals }) => locals.getSession()\n",
    });
    expect(read("/src/routes/+layout.server.ts")).toBeUndefined();
  });
});

describe("moveComponents()", () => {
  it("knows the manifest of the package", () => {
    const { read } = move({ "/a.svelte": '<script>\n  import own from "@auth/sveltekit/package.json"\n</script>\n' });
    expect(read("/a.svelte")).toContain('import own from "@cardea/sveltekit/package.json"');
  });

  it.each([
    'import { SvelteKitAuth } from "@auth/sveltekit";',
    "import type { Session } from '@auth/sveltekit'",
    'import { type User, type Session } from "@auth/core/types"',
  ])("changes the specifier: %s", (line) => {
    const { read, left } = move({ "/a.svelte": `<script lang="ts">\n  ${line}\n</script>\n` });
    const former = line.includes("core/types") ? "@auth/core/types" : "@auth/sveltekit";
    const successor = former.replace("@auth", "@cardea");
    expect(read("/a.svelte")).toBe(`<script lang="ts">\n  ${line.replace(former, successor)}\n</script>\n`);
    expect(left).toEqual([]);
  });

  it.each([
    ["/a.svelte", 'import * as auth from "@auth/sveltekit"'],
    ["/a.svelte", 'import { ISODateString } from "@auth/core/types"'],
    ["/a.svelte", 'import { SignIn } from "@auth/sveltekit/components"'],
    ["/a.svelte", 'import { a /* "b" */ } from "@auth/sveltekit"'],
    ["/a.svelte", 'const all = await import("@auth/sveltekit/client")'],
    ["/a.mdx", 'export { signIn } from "@auth/sveltekit"'],
  ])("leaves and reports what it cannot be sure of: %s %s", (path, line) => {
    const { read, left } = move({ [path]: `<script>\n${line}\n</script>\n` });
    expect(read(path)).toBeUndefined();
    expect(left).toEqual([`${path.slice(1)}:2`]);
  });
});
