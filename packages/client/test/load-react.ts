import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** One version of React, with what is tested and what tests it. */
export interface ReactSuite {
  readonly version: string;
  readonly react: typeof import("react");
  readonly testing: typeof import("@testing-library/react");
  readonly renderToString: typeof import("react-dom/server").renderToString;
  readonly client: typeof import("../src/react.ts");
}

const FOLDER = import.meta.dirname;

/** React 19 as it is installed, over the sources; and all of that bundled with React 18 in its place. */
export async function loadReactSuites(): Promise<readonly ReactSuite[]> {
  const [react, testing, server, client, former] = await Promise.all([
    import("react"),
    import("@testing-library/react"),
    import("react-dom/server"),
    import("../src/react.ts"),
    loadReact18(),
  ]);
  const { renderToString } = server;
  const suites = [{ version: react.version, react, testing, renderToString, client }, former];
  // One second is its own limit, which a busy machine can take between two renders.
  for (const suite of suites) suite.testing.configure({ asyncUtilTimeout: 20_000 });
  return suites;
}

async function loadReact18(): Promise<ReactSuite> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { version } from "react";
        export * as react from "react";
        export * as testing from "@testing-library/react";
        export { renderToString } from "react-dom/server.browser";
        export * as client from "../src/react.ts";
      `,
      resolveDir: FOLDER,
    },
    absWorkingDir: join(FOLDER, ".."),
    alias: { react: "react18", "react-dom": "react-dom18" },
    bundle: true,
    format: "esm",
    logLevel: "error",
    target: "es2022",
    write: false,
  });
  // A file, as a stack trace would show the whole of a data URL; and there, as no one looks for sources in it.
  const path = join(FOLDER, `../node_modules/.react-18-${randomUUID()}.mjs`);
  await writeFile(path, outputFiles[0]?.contents ?? "");
  try {
    return parseSuite(await import(/* @vite-ignore */ path));
  } finally {
    await rm(path);
  }
}

/** The bundle exports what its source above says. */
function parseSuite(exports: unknown): ReactSuite {
  return exports as ReactSuite;
}
