/** Hashes run in the threads of libuv: nothing that reads a session may need one of them. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EMAIL, PASSWORD, startApp } from "../test/test-app.ts";

/** Takes every thread, as hashes without a bound would: opening a pipe waits for someone who writes to it. */
function takeThreads() {
  const folder = mkdtempSync(join(tmpdir(), "cardea-threads-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const taken = Array.from({ length: threads }, async () => (await open(pipe, "r")).close());
  let isFree = false;
  const next = stat(folder).then(() => {
    isFree = true;
  });
  return {
    /** Whether something got a thread after all. */
    isFree: () => isFree,
    async [Symbol.asyncDispose]() {
      const writer = openSync(pipe, "r+");
      await Promise.all([...taken, next]);
      closeSync(writer);
      rmSync(folder, { recursive: true });
    },
  };
}

describe.each(["jwt", "database"] as const)("GET session, %s sessions", (strategy) => {
  it("is answered while every thread for hashes is taken", async () => {
    const { open, register, signIn, userOf } = startApp({ strategy });
    const first = open();
    await register(first, EMAIL, PASSWORD);
    // What a read needs is loaded, and its keys are derived.
    expect(await userOf(first)).toBe(EMAIL);
    // A token that was opened before is remembered.
    const browser = open();
    await signIn(browser, EMAIL, PASSWORD);
    let email: unknown;
    await using threads = takeThreads();
    const read = userOf(browser).then((found) => {
      email = found;
    });
    // As many turns as it may want; a thread is not free in any of them.
    for (let turn = 0; turn < 10_000 && email === undefined; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    expect(threads.isFree()).toBe(false);
    expect(email).toBe(EMAIL);
    await read;
  });
});
