import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, createBrowser } from "@cardea/testing";
import { build } from "esbuild";

/** One process: its file in this folder, and its argument. */
export type Member = readonly [file: string, ...args: string[]];

/** Several applications behind one origin, each a process. */
export interface Fleet {
  /** Who answers from now on, by position: a random one of them. */
  pages: readonly number[];
  /** Who answers `/api/auth/…`. */
  actions: number;
  /** How many requests each has answered. */
  readonly answers: number[];
  openBrowser(): Browser;
  kill(member: number): Promise<void>;
  restart(member: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a process for each member. `random` is between 0 and 1, as `Math.random`. */
export async function startFleet(
  members: readonly Member[],
  env: Readonly<Record<string, string>>,
  { origin, random }: { readonly origin: string; readonly random: () => number },
): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), "cardea-bridge-fleet-"));
  const entryPoints = [...new Set(members.map(([file]) => new URL(file, import.meta.url).pathname))];
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  const start = ([file, ...args]: Member) => startMember(join(folder, file.replace(".mjs", ".cjs")), args, env);
  const running = await Promise.all(members.map(start));
  const fleet: Fleet = {
    pages: members.map((_, n) => n),
    actions: 0,
    answers: members.map(() => 0),
    openBrowser: () => createBrowser(answer, { origin }),
    kill: (n) => end(running[n]?.child),
    restart: async (n) => {
      const member = members[n];
      await end(running[n]?.child);
      if (member !== undefined) running[n] = await start(member);
    },
    close: async () => {
      await Promise.all(running.map(({ child }) => end(child)));
      await rm(folder, { recursive: true });
    },
  };
  const answer = async (given: Request): Promise<Response> => {
    const isAction = new URL(given.url).pathname.startsWith("/api/auth/");
    const n = isAction ? fleet.actions : (fleet.pages[Math.floor(random() * fleet.pages.length)] ?? 0);
    fleet.answers[n] = (fleet.answers[n] ?? 0) + 1;
    return forward(given, running[n]?.port ?? 0);
  };
  return fleet;
}

async function startMember(bundle: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  // No setting of the machine the tests run on gets in.
  const { PATH = "" } = process.env;
  const child = fork(bundle, [...args], { execArgv: [], env: { PATH, NODE_ENV: "production", ...env } });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${bundle} ended before it listened`)));
  const [message]: { port: number }[] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => {});
  return { child, port: message?.port ?? 0 };
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** As a proxy does: the host and scheme that the browser sees are in headers. */
async function forward(given: Request, port: number): Promise<Response> {
  const { pathname, search, host, protocol } = new URL(given.url);
  const headers = {
    ...Object.fromEntries(given.headers),
    host,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.slice(0, -1),
  };
  // A connection of its own: a server may close an idle one at the moment when it is used again.
  const sent = request({
    agent: false,
    port,
    host: "127.0.0.1",
    method: given.method,
    path: `${pathname}${search}`,
    headers,
  });
  sent.end(Buffer.from(await given.arrayBuffer()));
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (answer === undefined) throw new Error("The member did not answer.");
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const isEmpty = answer.statusCode === 204 || answer.statusCode === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status: answer.statusCode ?? 500, headers: pairs });
}
