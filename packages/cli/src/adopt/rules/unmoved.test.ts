import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const AUTH =
  'import { SvelteKitAuth } from "@auth/sveltekit";\nexport const { handle } = SvelteKitAuth({ providers: [] });\n';

function move(path: string, text: string) {
  const manifest = JSON.stringify({ dependencies: { "@sveltejs/kit": "2.70.0", "@auth/sveltekit": "1.11.3" } });
  const files = { "/package.json": manifest, "/src/auth.ts": AUTH, [path]: text };
  const result = adopt({ files: new Map(Object.entries(files)) });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind, file }) => kind === "left" && `/${file}` === path);
  return { left: left.map(({ line, what }) => [line, what]), removed: result.removed };
}

describe("nameUnmoved() and removePackages()", () => {
  it.each([
    [
      "/a.svelte",
      '<script>\n  const all = await import("@auth/sveltekit/client")\n</script>\n',
      "@auth/sveltekit/client",
    ],
    ["/a.ts", '\nimport type { Fn } from "@auth/sveltekit/lib/types";\n', "@auth/sveltekit/lib/types"],
    ["/b.ts", '\nimport { x } from "../node_modules/@auth/sveltekit/lib";\n', "../node_modules/@auth/sveltekit/lib"],
    ["/a.vue", "<script setup>\nconst auth = await import('@auth/sveltekit')\n</script>\n", "@auth/sveltekit"],
    ["/a.astro", '---\nimport "@auth/sveltekit/components";\n---\n', "@auth/sveltekit/components"],
    ["/a.mdx", '# Text\nexport { signIn } from "@auth/sveltekit";\n', "@auth/sveltekit"],
  ])("report the imports of %s, and keep the package", (path, text, specifier) => {
    const { left, removed } = move(path, text);
    expect(left).toEqual([[2, `imports ${specifier}`]]);
    expect(removed).not.toContain("@auth/sveltekit");
  });

  it("leave out text about a package, and other packages", () => {
    const text = '<p>Auth with next-auth and @auth/sveltekit</p>\n<script>\nimport x from "@auth0/vue";\n</script>\n';
    expect(move("/a.vue", text)).toEqual({ left: [], removed: ["@auth/sveltekit"] });
  });

  it.each([
    ['const lib = require("next-auth");\nmodule.exports = () => lib.getServerSession(options);\n', "getServerSession"],
    [
      'const { default: make, getServerSession } = require("next-auth");\nmake(1); getServerSession();\n',
      "getServerSession",
    ],
    ['import("next-auth").then((lib) => lib.getServerSession(options));\n', "getServerSession"],
    ['import("next-auth").then(({ getServerSession: read }) => read(options));\n', "getServerSession"],
    ['import * as lib from "next-auth";\nexport const handler = lib.default(options);\n', "default"],
    ['export { default as NextAuth } from "next-auth";\n', "default"],
  ])("leave the module of what has no counterpart: %s", (text, name) => {
    const manifest = JSON.stringify({ dependencies: { next: "14.2.0", "next-auth": "^4.24.7" } });
    const result = adopt({ files: new Map(Object.entries({ "/package.json": manifest, "/lib.js": text })) });
    if ("refused" in result) throw new Error(result.refused);
    expect((result.files.get("/lib.js") ?? text).match(/["']next-auth["']/g)).toHaveLength(1);
    const left = result.report.filter(({ kind }) => kind === "left").map(({ what }) => what);
    expect(left).toContain(`\`${name}\` of next-auth was not moved`);
  });

  it("say that no file imports the library, as in a package of a workspace that only lists it", () => {
    const manifest = JSON.stringify({ dependencies: { next: "16.0.0", "next-auth": "5.0.0-beta.32" } });
    const reported = (text: string) => {
      const files = new Map([
        ["/package.json", manifest],
        ["/a.ts", text],
      ]);
      const result = adopt({ files });
      if ("refused" in result) throw new Error(result.refused);
      return result.report.filter(({ kind }) => kind === "look").map(({ what }) => what);
    };
    expect(reported('import { auth } from "@my/auth";\n')).toEqual(["no file of this folder imports the library"]);
    expect(reported('import type { Session } from "next-auth";\n')).toEqual([]);
  });
});
