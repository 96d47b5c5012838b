import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { type SmtpSink, startSmtpSink } from "@cardea/testing/smtp-sink";
import { createApp } from "./app.ts";
import type { OpenIdProvider } from "./auth.ts";
import { openDatabase } from "./database.ts";
import { seedMembers } from "./members.ts";
import { configuredProviders } from "./ready-made-providers.ts";
import type { Settings } from "./settings.ts";
import { openStore } from "./store.ts";

/** The demo at work. */
export interface Demo {
  readonly url: string;
  close(): Promise<void>;
}

type Closer = () => Promise<void>;

/** How many ports are tried, one after the other. */
const TRIES = 20;

/** Starts the application and, as far as they are not there already, a provider and a mail server on this machine. */
export async function startDemo(settings: Settings): Promise<Demo> {
  const closers: Closer[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { url: await startParts(settings, closers), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(settings: Settings, closers: Closer[]): Promise<string> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  // Providers have to know where to send people back to, so the application's port comes first.
  const port = await takeFreePort(settings.port, (candidate) => listen(server, candidate));
  closers.push(() => closeServer(server));
  const sink = settings.mailServer === undefined ? await startSink(closers) : undefined;
  const database = await openDatabase(settings.databaseUrl);
  closers.push(database.close);
  await seedMembers(database.adapter);
  const shared = settings.redisUrl === undefined ? undefined : await openStore(settings.redisUrl);
  if (shared !== undefined) closers.push(shared.close);
  answer = createApp({
    adapter: database.adapter,
    providers: await findProviders(settings, port, closers),
    // The engine reads the same variables.
    readyMade: configuredProviders(process.env),
    mailServer: settings.mailServer ?? sink?.url ?? "",
    inbox: sink,
    secret: settings.hasSecret ? undefined : randomBytes(32).toString("base64url"),
    strategy: settings.strategy,
    store: shared?.store,
  });
  return `http://localhost:${port}`;
}

async function startSink(closers: Closer[]): Promise<SmtpSink> {
  const sink = await startSmtpSink();
  closers.push(sink.close);
  return sink;
}

/** The provider that the environment names; else one of our own, which plays two. */
async function findProviders(settings: Settings, appPort: number, closers: Closer[]): Promise<OpenIdProvider[]> {
  if (settings.provider !== undefined) return [{ id: "local", name: "Local Provider", ...settings.provider }];
  // Logout tokens are taken where sessions are listed: with Redis.
  const hasList = settings.redisUrl !== undefined;
  const clients = [
    makeClient("local", "green-room", appPort, hasList),
    makeClient("second", "green-room-2", appPort, hasList),
  ] as const;
  const first = settings.port === 0 ? 0 : appPort + 1;
  const { issuer, close } = await takeFreePort(first, (port) =>
    startOidcProvider({ port, clients, rotateRefreshTokens: true }),
  );
  closers.push(close);
  const [local, second] = clients;
  return [
    { id: "local", name: "Local Provider", issuer, ...keysOf(local), hasRefreshTokens: true },
    { id: "second", name: "Second Provider", issuer, ...keysOf(second), hasRefreshTokens: true },
  ];
}

const keysOf = ({ clientId, clientSecret }: ReturnType<typeof makeClient>) => ({ clientId, clientSecret });

function makeClient(providerId: string, clientId: string, appPort: number, hasList: boolean) {
  const origins = [`http://localhost:${appPort}`, `http://127.0.0.1:${appPort}`];
  return {
    clientId,
    clientSecret: randomBytes(32).toString("base64url"),
    name: "The Green Room",
    redirectUris: origins.map((origin) => `${origin}/auth/callback/${providerId}`),
    postLogoutRedirectUris: origins.map((origin) => `${origin}/auth/signedout/${providerId}`),
    ...(hasList ? { backchannelLogoutUri: `${origins[0]}/auth/backchannel/${providerId}` } : {}),
  };
}

/** Tries a port and those after it until one is not taken. */
async function takeFreePort<T>(first: number, take: (port: number) => Promise<T>): Promise<T> {
  for (let port = first; ; port++) {
    try {
      return await take(port);
    } catch (error) {
      if (!isTaken(error) || port >= first + TRIES) throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // This machine only: the demo's password is no secret.
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
