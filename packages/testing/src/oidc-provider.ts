/** A real OpenID Provider on this machine, for development and tests: people without passwords, pages without scripts. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isLoopback } from "./browser/site.ts";
import type { OidcClient } from "./oidc-provider/client.ts";
import { createConfiguration } from "./oidc-provider/configuration.ts";
import { interact } from "./oidc-provider/interaction.ts";
import { loadProvider } from "./oidc-provider/load.ts";
import { People, type Persona, personas } from "./oidc-provider/people.ts";

export { type OidcClient, type Persona, personas };

/** How to start a local provider. */
export interface OidcProviderOptions {
  /** 0 (default): any free port. */
  readonly port?: number;
  /** A loopback host; default `127.0.0.1`, which to browsers is another site than `localhost`. */
  readonly host?: string;
  /** Default `http://{host}:{port}`. Must be an origin on a loopback host. */
  readonly issuer?: string;
  /** Redirect URIs of the default client, when there are no `clients`. */
  readonly redirectUris?: readonly string[];
  /** Default: one, `demo` with the secret `demo-secret`, which has `redirectUris`. */
  readonly clients?: readonly OidcClient[];
  /** True: each use of a refresh token gives another one, and a second use ends the grant (RFC 9700 §4.14.2); default false. */
  readonly rotateRefreshTokens?: boolean;
  /** Who is on the list. Default {@link personas}. */
  readonly users?: readonly Persona[];
}

/** A local provider at work. */
export interface RunningOidcProvider {
  readonly issuer: string;
  /** Where it listens: the issuer, unless that was given. */
  readonly url: string;
  /** The first client's. */
  readonly clientId: string;
  /** The first client's; empty for a public one. */
  readonly clientSecret: string;
  readonly users: readonly Persona[];
  /** Ends it, open connections included. Everything it knew is gone. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

function requireDevelopment(): void {
  if (process.env.NODE_ENV !== "production") return;
  throw new Error(
    "The local OpenID Provider lets anyone sign in as any user. It does not start if NODE_ENV is production.",
  );
}

/** Binding to anything but the machine itself would let the network sign in as anyone. */
function requireLoopback(option: string, host: string): void {
  const literal = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  if (!isLoopback(literal))
    throw new Error(`${option}: "${host}" is no loopback host. Accepted: 127.0.0.1, localhost, ::1.`);
}

function resolveClients({ clients, redirectUris }: OidcProviderOptions): readonly [OidcClient, ...OidcClient[]] {
  const [first, ...others] = clients ?? [];
  if (first !== undefined) return [first, ...others];
  if (redirectUris === undefined || redirectUris.length === 0) {
    throw new Error("`redirectUris` or `clients` is required: the provider redirects only to registered URIs.");
  }
  return [{ clientId: "demo", clientSecret: "demo-secret", name: "Demo", redirectUris }];
}

function resolveIssuer(issuer: string | undefined, url: string): string {
  if (issuer === undefined) return url;
  const parsed = new URL(issuer);
  requireLoopback("issuer", parsed.hostname);
  if (parsed.origin !== issuer) throw new Error(`issuer: "${issuer}" is no origin. Accepted: http://host:port.`);
  return issuer;
}

/** Resolves with the port once the server listens; rejects when it cannot, e.g. with `EADDRINUSE`. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), () => {
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

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function createHandler(
  issuer: string,
  clients: readonly OidcClient[],
  people: People,
  rotates: boolean,
): Promise<Handler> {
  const module = await loadProvider();
  const provider = new module.default(issuer, await createConfiguration(module, clients, people, rotates));
  const callback = provider.callback();
  const { host } = new URL(issuer);
  return (request, response) => {
    // A page elsewhere whose name was rebound to this machine is not our visitor.
    if (request.headers.host !== host) response.writeHead(421).end(`This is ${host}.`);
    else if (request.url?.startsWith("/interaction/") === true) void interact(provider, people, request, response);
    else void callback(request, response);
  };
}

/**
 * Starts an OpenID Provider on a port of this machine: authorization code flow with PKCE, discovery, RFC 9207, userinfo,
 * sign-out. People choose an account from a list or type any login; no one has a password.
 *
 * ```ts
 * const op = await startOidcProvider({ redirectUris: ["http://localhost:3000/auth/callback/local"] });
 * // op.issuer, op.clientId, op.clientSecret
 * await op.close();
 * ```
 *
 * ID tokens carry name, preferred_username, picture, email and email_verified, as far as the scope asks and the person has
 * them. A browser is remembered, but asked each time. Rejects when NODE_ENV is production, when host or issuer is not on a
 * loopback host, when no redirect URI is named, and when the port is taken (`EADDRINUSE`).
 */
export async function startOidcProvider(options: OidcProviderOptions): Promise<RunningOidcProvider> {
  requireDevelopment();
  const host = options.host ?? "127.0.0.1";
  requireLoopback("host", host);
  const clients = resolveClients(options);
  const people = new People(options.users ?? personas);

  let handle: Handler = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  const port = await listen(server, options.port ?? 0, host);
  const url = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
  try {
    const issuer = resolveIssuer(options.issuer, url);
    handle = await createHandler(issuer, clients, people, options.rotateRefreshTokens ?? false);
    const close = (): Promise<void> => closeServer(server);
    const [{ clientId, clientSecret = "" }] = clients;
    return { issuer, url, clientId, clientSecret, users: people.listed, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}
