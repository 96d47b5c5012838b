/** examples/hono and examples/sveltekit, as their one command starts them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../bindings/free-port.ts";
import { closeContexts, launchChromium, visit } from "./chromium.ts";
import { choosePerson, goToProvider } from "./person.ts";

interface RunningExample {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: () => string;
}

async function start(name: string, file: string): Promise<RunningExample> {
  const { PATH = "" } = process.env;
  const [PORT, PROVIDER_PORT] = [await findFreePort(), await findFreePort()].map(String);
  const cwd = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
  const child = spawn(process.execPath, ["--liftoff-only", file], { cwd, env: { PATH, PORT, PROVIDER_PORT } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  while (!output.includes("Ctrl+C")) {
    if (child.exitCode !== null) throw new Error(`The example ended with ${child.exitCode}. Is it built?\n${output}`);
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  }
  return { url: `http://localhost:${PORT}`, child, output: () => output };
}

describe.each([
  ["hono", "main.mjs"],
  ["sveltekit", "start.mjs"],
])("the example for %s", (name, file) => {
  let example: RunningExample;
  let browser: Browser;
  beforeAll(async () => {
    [example, browser] = await Promise.all([start(name, file), launchChromium()]);
  });
  afterAll(async () => {
    await closeContexts(browser);
    example.child.kill("SIGKILL");
    expect(example.output()).not.toContain("[error]");
  });

  it("leads a visitor from the members' page through the provider and back, and signs out", async () => {
    const { page, leave } = await visit(browser, example.url);
    await page.goto("/");
    expect(await page.getByText("You are not signed in.").count()).toBe(1);
    expect(await page.getByText("Sign out").count()).toBe(0);
    await page.goto("/members");
    expect(new URL(page.url()).pathname).toBe("/auth/signin");
    await goToProvider(page, "Local provider");
    await choosePerson(page, "Ada Lovelace");
    await page.getByText("Signed in as Ada Lovelace.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/members");
    await page.goto("/");
    expect(await page.getByText("Hello, Ada Lovelace.").count()).toBe(1);
    if (name === "hono") await page.getByRole("link", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByText("You are not signed in.").waitFor();
    await leave();
  });
});
