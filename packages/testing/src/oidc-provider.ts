/** A real, local OpenID Provider for development and tests: users without passwords, pages without scripts. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isLoopback } from "./browser/site.ts";
import { explainListenError } from "./explain-listen-error.ts";
import type { OidcClient } from "./oidc-provider/client.ts";
import { createConfiguration } from "./oidc-provider/configuration.ts";
import { interact } from "./oidc-provider/interaction.ts";
import { loadProvider } from "./oidc-provider/load.ts";
import { People, type Persona, personas } from "./oidc-provider/people.ts";

export { type OidcClient, type Persona, personas };

/** Options of {@link startOidcProvider}. */
export interface OidcProviderOptions {
  /** 0 (default): any free port. */
  readonly port?: number;
  /** A loopback host; default `127.0.0.1`, which browsers treat as a different site from `localhost`. */
  readonly host?: string;
  /** Default `http://{host}:{port}`. Must be an origin on a loopback host. */
  readonly issuer?: string;
  /** Redirect URIs of the default client, if `clients` is not set. */
  readonly redirectUris?: readonly string[];
  /** Default: one client, `demo`, with the secret `demo-secret` and `redirectUris`. */
  readonly clients?: readonly OidcClient[];
  /** Whether refresh tokens are rotated on each use, and reuse revokes the grant (RFC 9700 §4.14.2); default false. */
  readonly rotateRefreshTokens?: boolean;
  /** The listed users. Default {@link personas}. */
  readonly users?: readonly Persona[];
}

/** A running local provider. */
export interface RunningOidcProvider {
  /** Its issuer identifier, for `issuer` of a provider object. */
  readonly issuer: string;
  /** The URL it listens on; equals the issuer unless `issuer` is set. */
  readonly url: string;
  /** The first client's. */
  readonly clientId: string;
  /** The first client's; empty for a public one. */
  readonly clientSecret: string;
  /** The users who can sign in. */
  readonly users: readonly Persona[];
  /** Stops the provider and closes open connections. All state is lost. */
  close(): Promise<void>;
  /** Calls `close()` at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

function requireDevelopment(): void {
  if (process.env.NODE_ENV !== "production") return;
  throw new Error(
    "The local OpenID Provider lets anyone sign in as any user. It does not start if NODE_ENV is production.",
  );
}

/** Binding to another interface would allow anyone on the network to sign in as any user. */
function requireLoopback(option: string, host: string): void {
  const literal = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  if (!isLoopback(literal))
    throw new Error(`${option}: "${host}" is not a loopback host. Accepted: 127.0.0.1, localhost, ::1.`);
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
  if (parsed.origin !== issuer) throw new Error(`issuer: "${issuer}" is not an origin. Accepted: http://host:port.`);
  return issuer;
}

/** Resolves to the port once the server listens; rejects if it cannot, for example with `EADDRINUSE`. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(explainListenError(error, "startOidcProvider()")));
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
    // Rejects requests from pages whose host name was rebound to this machine (DNS rebinding).
    if (request.headers.host !== host) response.writeHead(421).end(`This is ${host}.`);
    else if (request.url?.startsWith("/interaction/") === true) void interact(provider, people, request, response);
    else void callback(request, response);
  };
}

/**
 * Starts a local OpenID Provider: authorization code flow with PKCE, discovery, RFC 9207, userinfo, sign-out. Users
 * choose an account from a list or enter any login; there are no passwords.
 *
 * ```ts
 * const op = await startOidcProvider({ redirectUris: ["http://localhost:3000/auth/callback/local"] });
 * // op.issuer, op.clientId, op.clientSecret
 * await op.close();
 * ```
 *
 * ID tokens carry name, preferred_username, picture, email and email_verified, depending on the scope and the user. The
 * provider remembers a browser, but prompts each time. Rejects if NODE_ENV is production, host or issuer is not a
 * loopback host, no redirect URI is given, or the port is in use (`EADDRINUSE`).
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
