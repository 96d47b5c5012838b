import type { Session } from "@cardea/core";
import type { ReactElement } from "react";
import { type Connection, connect } from "./connection.ts";
import type { SessionOf } from "./session-of.ts";
import { createSessionProvider, type SessionProviderProps } from "./session-provider.ts";
import type { AuthClient, ClientOptions } from "./types.ts";
import { type UseSession, useAnySession } from "./use-session.ts";

/**
 * A client with its React parts. While a provider is mounted, its functions call that provider's server (the one mounted
 * last).
 */
export interface ReactClient<S = Session> extends AuthClient<S> {
  /** Provides the session to all components below. */
  readonly SessionProvider: (props: SessionProviderProps<S>) => ReactElement;
  /** The session of the page. */
  readonly useSession: UseSession<S>;
}

/**
 * Creates a client for one server, with a provider and a hook, typed with its session. Clients share no state.
 *
 * ```ts
 * "use client";
 * import type { auth } from "./auth";
 * export const { SessionProvider, useSession, signIn, signOut } = createClient<typeof auth>({ basePath: "/auth" });
 * ```
 */
export function createClient<Auth = Session>(options: ClientOptions = {}): ReactClient<SessionOf<Auth>> {
  return bind<SessionOf<Auth>>(options);
}

function bind<S>(options: ClientOptions): ReactClient<S> {
  const mounted = new Set<Connection<S>>();
  const own = connect<S>(options);
  // The provider on the page is notified of a sign-in first, and its props determine the server.
  const current = () => [...mounted].pop() ?? own;
  return {
    SessionProvider: createSessionProvider<S>(options, mounted),
    useSession: assumeUseSession<S>(useAnySession),
    getSession: (asked) => current().getSession(asked),
    getCsrfToken: () => current().getCsrfToken(),
    getProviders: () => current().getProviders(),
    signIn: (provider, wishes, params) => current().signIn(provider, wishes, params),
    signOut: (wishes) => current().signOut(wishes),
    signInWithPasskey: (wishes) => current().passkey("authenticate", wishes),
    registerPasskey: (wishes) => current().passkey("register", wishes),
    signalPasskeys: (wishes) => current().signalPasskeys(wishes),
  };
}

/** The hook has the type of the provider above it; the application must use the two together. */
function assumeUseSession<S>(hook: unknown): UseSession<S> {
  return hook as UseSession<S>;
}
