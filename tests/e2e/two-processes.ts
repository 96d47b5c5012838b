import { type Browser, createBrowser } from "@cardea/testing";
import { type SmtpSink, startSmtpSink } from "@cardea/testing/smtp-sink";
import type { ScratchDatabase } from "./scratch-postgres.ts";
import { type StallingProvider, startStallingProvider } from "./stalling-provider.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

type Name = "a" | "b";

/** Secrets of a process: the first seals, each opens. */
export type Secrets = readonly [string, ...string[]];

/** Two processes of the demo on one database, behind one origin. */
export interface Site {
  readonly origin: string;
  readonly provider: StallingProvider;
  readonly sink: SmtpSink;
  /** Who answers from now on: one of them, or both in turns. */
  route: Name | "both";
  /** How many requests each has answered so far. */
  readonly answers: Readonly<Record<Name, number>>;
  /** A person's browser, which has been nowhere yet. */
  openBrowser(): Browser;
  /** Ends a process, if it still runs, and starts it with these secrets. */
  restart(name: Name, secrets: Secrets): Promise<void>;
  /** Both run with these secrets: each that does not is restarted. */
  restore(secrets: Secrets): Promise<void>;
  kill(name: Name): Promise<void>;
  close(): Promise<void>;
}

/** Where the site is said to be; the browsers here ask the processes themselves, as a load balancer would. */
const ORIGIN = "http://green-room.localhost:4321";

const CLIENT = {
  clientId: "green-room",
  clientSecret: "a secret that only the provider and the application know",
  redirectUris: [`${ORIGIN}/auth/callback/local`],
};

/** Starts everything. */
export async function startSite(database: ScratchDatabase, secrets: Secrets): Promise<Site> {
  const [provider, sink] = await Promise.all([startStallingProvider(CLIENT), startSmtpSink()]);
  const env = {
    DATABASE_URL: database.url,
    AUTH_URL: ORIGIN,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    SMTP_URL: sink.url,
  };
  const start = (all: Secrets) => startDemo({ ...env, ...nameSecrets(all) });
  // At the same moment, on a database without tables.
  const [a, b] = await Promise.all([start(secrets), start(secrets)]);
  const processes: Record<Name, RunningDemo> = { a, b };
  /** What each runs with; undefined where it was killed. */
  const running: Record<Name, Secrets | undefined> = { a: secrets, b: secrets };
  const answers: Record<Name, number> = { a: 0, b: 0 };
  let turn: Name = "b";
  const answer = async (request: Request): Promise<Response> => {
    turn = turn === "a" ? "b" : "a";
    const name = site.route === "both" ? turn : site.route;
    const response = await forward(request, processes[name].url);
    answers[name] += 1;
    return response;
  };
  const site: Site = {
    origin: ORIGIN,
    provider,
    sink,
    route: "both",
    answers,
    openBrowser: () => createBrowser(answer, { origin: ORIGIN, routes: { [provider.issuer]: fetch }, follow: "all" }),
    restart: async (name, all) => {
      await processes[name].end();
      processes[name] = await start(all);
      running[name] = all;
    },
    restore: async (all) => {
      const others = (["a", "b"] as const).filter((name) => running[name]?.join("\n") !== all.join("\n"));
      await Promise.all(others.map((name) => site.restart(name, all)));
    },
    kill: (name) => {
      running[name] = undefined;
      return processes[name].kill();
    },
    close: async () => {
      await Promise.all([processes.a.end(), processes.b.end(), provider.close(), sink.close()]);
    },
  };
  return site;
}

function nameSecrets([first, ...older]: Secrets): Record<string, string> {
  const named = older.map((secret, index) => [`AUTH_SECRET_${index + 1}`, secret] as const);
  return { AUTH_SECRET: first, ...Object.fromEntries(named) };
}

async function forward(request: Request, to: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = request.method === "POST" ? await request.arrayBuffer() : null;
  const { method, headers } = request;
  return fetch(`${to}${pathname}${search}`, { method, headers, body, redirect: "manual" });
}
