import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { type RunningOidcProvider, startOidcProvider } from "@cardea/testing/oidc-provider";
import { createApp, PROVIDER_ID } from "./app.ts";

/** How to start the demo. */
export interface DemoOptions {
  /** The next free port is taken when this one is not; 0 is any. */
  readonly port: number;
  /** Seals the cookies. Absent: a random one, so that sessions end with the process. */
  readonly secret: string | undefined;
}

/** The demo at work. */
export interface Demo {
  readonly url: string;
  close(): Promise<void>;
}

/** How many ports are tried, one after the other. */
const TRIES = 20;

/** Starts the provider and the application on two ports of this machine. */
export async function startDemo({ port, secret }: DemoOptions): Promise<Demo> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  const appPort = await takeFreePort(port, (candidate) => listen(server, candidate));
  try {
    // The provider has to know where to send people back to, so the application's port comes first.
    const provider = await takeFreePort(port === 0 ? 0 : appPort + 1, (candidate) => startProvider(candidate, appPort));
    answer = createApp({ provider, secret: secret ?? randomBytes(32).toString("base64url") });
    return {
      url: `http://localhost:${appPort}`,
      close: async () => {
        await Promise.all([provider.close(), closeServer(server)]);
      },
    };
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

function startProvider(port: number, appPort: number): Promise<RunningOidcProvider> {
  const origins = [`http://localhost:${appPort}`, `http://127.0.0.1:${appPort}`];
  return startOidcProvider({
    port,
    clients: [
      {
        clientId: "green-room",
        clientSecret: randomBytes(32).toString("base64url"),
        name: "The Green Room",
        redirectUris: origins.map((origin) => `${origin}/auth/callback/${PROVIDER_ID}`),
      },
    ],
  });
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
