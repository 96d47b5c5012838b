import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { loadReactSuites, type ReactSuite } from "../test/load-react.ts";

const PACKAGE = join(import.meta.dirname, "..");
/** Bytes, minified and gzipped, of all that `./react` exports, without React. */
const LIMIT = 3_750;

const suites = await loadReactSuites();
const ann = { user: { name: "Ann" }, expires: "2100-01-01T00:00:00.000Z" };

function Greeting({ useSession }: { readonly useSession: ReactSuite["client"]["useSession"] }): string {
  const { status, data } = useSession({ required: true });
  return `${status} ${data?.user?.name ?? ""}`;
}

describe.each(suites)("on the server, React $version", ({ react, client, renderToString }) => {
  it.each([
    ["authenticated Ann", ann],
    ["loading ", undefined],
    ["loading ", null],
  ])("renders %j and asks no one", (expected, session) => {
    expect(typeof document).toBe("undefined");
    const { SessionProvider, useSession } = client;
    const tree = react.createElement(SessionProvider, { session }, react.createElement(Greeting, { useSession }));
    expect(renderToString(tree)).toBe(expected);
  });
});

describe("the built package", () => {
  it("keeps the directive, is split so that both entries share their error class, and imports React alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cardea-client-"));
    const command = [join(PACKAGE, "../../tools/build.mjs"), "client", "--no-types", `--out=${folder}`];
    await promisify(execFile)(process.execPath, command);
    const files = (await readdir(join(folder, "client"))).filter((name) => name.endsWith(".js"));
    const sources = await Promise.all(files.map((name) => readFile(join(folder, "client", name), "utf8")));
    await rm(folder, { recursive: true });
    const built = new Map(files.map((name, index) => [name, sources[index] ?? ""]));
    expect(built.get("react.js")).toMatch(/^"use client";/);
    expect(built.get("index.js")).not.toContain("use client");
    expect(sources.filter((source) => source.includes("extends Error"))).toHaveLength(1);
    const imported = sources.flatMap((source) => [...source.matchAll(/from "([^"]+)"/g)].map(([, name]) => name));
    expect(new Set(imported.filter((name) => !name?.startsWith("./")))).toEqual(
      new Set(["react", "@simplewebauthn/browser"]),
    );
    const importing = (what: string) => files.filter((name) => built.get(name)?.includes(what));
    expect(importing('from "react"')).toEqual(["react.js"]);
    // What passkeys need is loaded by `import()` alone.
    const [passkeys = ""] = importing('from "@simplewebauthn/browser"');
    expect(importing(`from "./${passkeys}"`)).toEqual([]);
    expect(importing(`import("./${passkeys}")`)).toHaveLength(1);
  });

  it(`weighs less than ${LIMIT} bytes`, async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(PACKAGE, "src/react.ts")],
      bundle: true,
      external: ["react"],
      format: "esm",
      metafile: true,
      minify: true,
      outdir: "bundle",
      splitting: true,
      target: "es2022",
      write: false,
    });
    // Two files: the entry, and what it loads when a passkey is asked for.
    const kinds = Object.values(metafile.outputs).map(({ entryPoint }) => entryPoint?.replace(/.*\//, ""));
    expect(kinds.sort()).toEqual(["passkey.ts", "react.ts"]);
    const sizeOf = (name: string) => {
      const file = outputFiles.find(({ path }) => basename(path).startsWith(name));
      return gzipSync(file?.contents ?? "", { level: 9 }).byteLength;
    };
    const bytes = sizeOf("react");
    const later = `${sizeOf("passkey")} more with the first passkey`;
    console.info(`@cardea/client/react: ${bytes} bytes minified and gzipped, less than ${LIMIT} wanted; ${later}`);
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(LIMIT);
  });
});
