/** The application that the hostile cases attack: its configuration, its secrets, its names. Test-only. */

import { customFetch, type OAuthProvider, type Provider } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import type { FetchHandler, ScriptedProvider, ScriptedProviderOptions } from "@cardea/testing";
import { deepFreeze } from "./deep-freeze.ts";
import type { Recorder } from "./records.ts";

/** Where the application is, and where its actions live. */
export const ORIGIN = "https://app.example.com";
export const BASE = "/api/auth";
export const SECRET = "canary-secret-of-more-than-thirty-two-bytes";
/** The only password that fits; any user name goes with it. */
export const PASSWORD = "canary-password-hunter2";
/** How long a callback, a hook or `authorize()` may take (docs/security.md). */
export const APPLICATION_TIMEOUT_MS = 30_000;
export const CLIENT_SECRET = "canary-client-secret-0123456789";

/** Our cookies as they are named on an https origin. */
export const COOKIE = {
  session: "__Host-cardea.session-token",
  mark: "__Host-cardea.session-mark",
  csrf: "__Host-cardea.csrf-token",
  callbackUrl: "__Host-cardea.callback-url",
  state: "__Host-cardea.state",
} as const;

/** How a case differs from the fixture. */
export interface CaseOptions {
  /** Laid over the configuration, member by member. */
  readonly config?: Partial<AuthConfig>;
  /** Laid over the provider `op`. */
  readonly provider?: Partial<OAuthProvider>;
  /** Providers besides `op` and `credentials`. */
  readonly providers?: readonly Provider[];
  /** How the scripted provider is created. */
  readonly op?: ScriptedProviderOptions;
  /** Where the browser finds the application; default {@link ORIGIN}. */
  readonly origin?: string;
  /** Who answers for further origins. */
  readonly routes?: Readonly<Record<string, FetchHandler>>;
  /** Further origins, or URLs without query, that redirects may lead to. */
  readonly alsoTo?: readonly string[];
  /** The case is about an answer of 5xx. */
  readonly mayFail?: boolean;
}

/** The fixture's configuration with a case's changes, frozen to the bottom. */
export function makeConfig(options: CaseOptions, op: ScriptedProvider, recorder: Recorder): AuthConfig {
  const { issuer, clientId, clientSecret } = op;
  const client = { issuer, clientId, clientSecret, [customFetch]: op.fetch };
  const provider: OAuthProvider = { id: "op", name: "Provider", type: "oidc", ...client };
  const { events = {}, ...overrides } = options.config ?? {};
  return deepFreeze({
    secret: SECRET,
    basePath: BASE,
    trustHost: true,
    debug: true,
    logger: recorder.logger,
    providers: [{ ...provider, ...options.provider }, passwordProvider(), ...(options.providers ?? [])],
    events: recorder.eventHandlers(events),
    ...overrides,
  });
}

function passwordProvider(): Provider {
  return {
    id: "credentials",
    name: "Password",
    type: "credentials",
    credentials: { username: {}, password: { type: "password" } },
    authorize: ({ username, password }) =>
      password === PASSWORD ? { id: "7", name: String(username), email: "ann@example.com" } : null,
  };
}
