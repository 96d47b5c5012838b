import type { Session } from "@cardea/core";
import { connect } from "./connection.ts";
import type { SessionOf } from "./session-of.ts";
import type { AuthClient, ClientOptions } from "./types.ts";

/**
 * Creates a client for one server, typed with its session. Clients share no state.
 *
 * ```ts
 * import type { auth } from "./auth";
 * export const { getSession, signIn, signOut } = createClient<typeof auth>({ basePath: "/auth" });
 * ```
 */
export function createClient<Auth = Session>(options: ClientOptions = {}): AuthClient<SessionOf<Auth>> {
  const { getSession, getCsrfToken, getProviders, signIn, signOut, passkey, signalPasskeys } =
    connect<SessionOf<Auth>>(options);
  return {
    getSession,
    getCsrfToken,
    getProviders,
    signIn,
    signOut,
    signInWithPasskey: (wishes) => passkey("authenticate", wishes),
    registerPasskey: (wishes) => passkey("register", wishes),
    signalPasskeys,
  };
}
