import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ignoreClosedPipe } from "./ignore-closed-pipe.ts";

/** Below the package, where the program finds its dependencies. */
const folder = join(import.meta.dirname, "../node_modules/.test", crypto.randomUUID());
const program = join(folder, "bin.mjs");

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const entryPoints = [join(import.meta.dirname, "bin.ts")];
  const tsconfig = join(import.meta.dirname, "../../../tsconfig.json");
  const options = { bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "error" } as const;
  await build({ ...options, entryPoints, outfile: program, external: ["ts-morph"], tsconfig });
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(...args: readonly string[]) {
  return spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
}

describe("the program cardea", () => {
  it("ends quietly, with the exit code of the command, if its reader has left", async () => {
    const child = start("--help");
    child.stdout.destroy();
    const [failure, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect({ failure, code }).toEqual({ failure: "", code: 0 });
  });

  it("ends with the exit code of a wrong call, if the reader of its errors has left", async () => {
    const child = start("adapt");
    child.stderr.destroy();
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect({ output, code }).toEqual({ output: "", code: 2 });
  });
});

describe("ignoreClosedPipe()", () => {
  it("throws any other error", () => {
    const stream = new PassThrough();
    ignoreClosedPipe(stream);
    expect(stream.emit("error", Object.assign(new Error("closed"), { code: "EPIPE" }))).toBe(true);
    expect(() => stream.emit("error", Object.assign(new Error("full"), { code: "ENOSPC" }))).toThrow("full");
  });
});
