/** What the tests of recipes share. */
import { readFile } from "node:fs/promises";
import { createTestSession } from "@cardea/testing";
import { expect } from "vitest";

export const ORIGIN = "http://localhost:3000";

/** The environment of the applications. */
export const ENVIRONMENT = {
  AUTH_SECRET: "a secret of more than thirty-two bytes for tests",
  AUTH_URL: ORIGIN,
  AUTH_GITHUB_ID: "id",
  AUTH_GITHUB_SECRET: "secret",
} as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The cookie of a session that is due for renewal. */
export async function dueSession(now: (time: number) => void): Promise<string> {
  const today = Date.now();
  now(today - 2 * DAY_MS);
  const config = { secret: ENVIRONMENT.AUTH_SECRET, providers: [] };
  const { header } = await createTestSession(config, { url: ORIGIN, user: { id: "7", name: "Ann" } });
  now(today);
  return header;
}

/** Names of the session cookies that a response sets, and whether it ends the session. */
export function sessionCookies({ headers }: Response): readonly string[] {
  const lines = headers.getSetCookie().filter((line) => line.startsWith("cardea.session-token="));
  return lines.map((line) => (/Max-Age=0/i.test(line) ? "ended" : "renewed"));
}

/** The documentation shows the files that the tests run, under their names. */
export async function expectInDocumentation(folder: string, paths: readonly string[]): Promise<void> {
  const page = await readFile(`${import.meta.dirname}/../../../docs/frameworks.md`, "utf8");
  for (const path of paths) {
    const source = await readFile(`${import.meta.dirname}/${folder}/${path}`, "utf8");
    expect(page).toContain(`// ${path}\n${source}`);
  }
}
