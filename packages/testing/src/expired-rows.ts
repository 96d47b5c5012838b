import { readFileSync } from "node:fs";
import type { Adapter, Store } from "@cardea/core/adapters";
import { expect, vi } from "vitest";
import { sampleSessionInfo } from "./adapter-contract/samples.ts";

/** What deletes expired rows: the job that docs/database.md#cleanup describes, and the stores themselves. Test-only. */

const HOUR = 60 * 60 * 1000;

/** When the rows of {@link testCleanup} expire, in hours from now. Databases with another clock or zone would be off by more. */
const ROWS = [-24, -1.1, -0.9, 24];
const KEPT = ["-0.9", "24"];

const readPage = () => readFileSync(new URL("../../../docs/database.md", import.meta.url), "utf8");

/** The block of the job whose first line is this comment. */
function readCleanupJob(language: "sql" | "ts", comment: string): string {
  const [, ...blocks] = readPage().split(`\n\`\`\`${language}\n`);
  const block = blocks.find((text) => text.startsWith(`${comment}\n`));
  if (block === undefined) throw new Error(`docs/database.md has no block of ${language} with the comment ${comment}`);
  return block.slice(comment.length + 1, block.indexOf("\n```"));
}

/** The statements of the job. */
export function readCleanupStatements(comment: string): readonly string[] {
  const statements = readCleanupJob("sql", comment).split(/;$/m);
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}

/** Runs a block of the job, with what it finds around it. */
export async function runCleanupJob(comment: string, around: Readonly<Record<string, unknown>>): Promise<void> {
  const lines = readCleanupJob("ts", comment).split("\n");
  const code = lines.filter((line) => !line.startsWith("import ")).join("\n");
  await new Function(...Object.keys(around), `return (async () => {${code}})()`)(...Object.values(around));
}

/** Asserts that a job deletes sessions and tokens that expired more than an hour ago, and nothing else. */
export async function testCleanup(adapter: Adapter, job: () => Promise<unknown>): Promise<void> {
  const user = await adapter.createUser?.({ id: "", name: "Ann", email: "ann@example.com", emailVerified: null });
  const userId = String(user?.id);
  const identifier = "ann@example.com";
  for (const hours of ROWS) {
    const [name, expires] = [`${hours}`, new Date(Date.now() + hours * HOUR)];
    await adapter.createSessionInfo?.(sampleSessionInfo(userId, { id: name, tokenHash: name, expires }));
    await adapter.createSession?.({ sessionToken: name, userId, expires });
    await adapter.createVerificationToken?.({ identifier, token: name, expires });
  }
  await job();
  const infos = (await adapter.listSessionInfosByUserId?.(userId)) ?? [];
  const [sessions, tokens]: [string[], string[]] = [[], []];
  for (const name of ROWS.map(String)) {
    if (await adapter.getSessionAndUser?.(name)) sessions.push(name);
    if (await adapter.useVerificationToken?.({ identifier, token: name })) tokens.push(name);
  }
  expect({ infos: infos.map(({ id }) => id).sort(), sessions, tokens }).toEqual({
    infos: KEPT,
    sessions: KEPT,
    tokens: KEPT,
  });
}

/**
 * Asserts that a store deletes some of the rows that expired more than an hour ago after 200 writes, and the rest after the next 200, so that
 * no statement holds many locks.
 *
 * @param countRows the number of rows in the store's table.
 */
export async function testPurge(store: Store, countRows: () => Promise<number>): Promise<void> {
  const write = async (writes: number, name: (n: number) => string, ttl: number) => {
    for (let n = 0; n < writes; n++) await store.set(name(n), "text", { ttl });
  };
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3 * HOUR });
  await write(600, (n) => `expired ${n}`, HOUR / 1000);
  await write(200, () => "expired recently", (2.5 * HOUR) / 1000);
  vi.useRealTimers();
  await write(199, () => "another", HOUR / 1000);
  expect(await countRows()).toBe(602);
  await write(1, () => "another", HOUR / 1000);
  const left = (await countRows()) - 2;
  expect(left).toBeGreaterThanOrEqual(100);
  expect(left).toBeLessThan(600);
  await write(200, () => "another", HOUR / 1000);
  expect(await countRows()).toBe(2);
}
