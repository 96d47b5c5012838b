import type { Session } from "@cardea/core";
import { createElement, type ReactElement, type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import type { Connection } from "./connection.ts";
import { SessionContext } from "./session-context.ts";
import { type RefetchOptions, SessionStore } from "./session-store.ts";
import type { ClientOptions } from "./types.ts";

/** Props of `SessionProvider`. The location of the server is read at the first render. */
export interface SessionProviderProps<S = Session> extends ClientOptions, RefetchOptions {
  /**
   * Initial value: a session, or null if no one is signed in. Absent: the page fetches it. A changed value replaces the
   * current one.
   */
  readonly session?: S | null | undefined;
  /** The components that use the session. */
  readonly children?: ReactNode;
}

/** Runs before paint, and before the effects of children, which may sign in. On the server, React would warn about it. */
const useEarlyEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * Creates the provider of a client.
 *
 * @param options location of the server, unless the props contain it.
 * @param mounted the connection of each mounted provider.
 */
export function createSessionProvider<S>(options: ClientOptions, mounted: Set<Connection<S>>) {
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each client, never while rendering
  return function SessionProvider(props: SessionProviderProps<S>): ReactElement {
    const { children, session, refetchInterval, refetchOnWindowFocus, refetchWhenOffline } = props;
    const { basePath = options.basePath, baseUrl = options.baseUrl } = props;
    const [store] = useState(() => new SessionStore({ basePath, baseUrl }, session));
    useEarlyEffect(() => {
      mounted.add(store.client);
      const stop = store.start();
      return () => {
        mounted.delete(store.client);
        stop();
      };
    }, [store]);
    useEarlyEffect(() => store.take(session), [store, session]);
    useEffect(
      () => store.watch({ refetchInterval, refetchOnWindowFocus, refetchWhenOffline }),
      [store, refetchInterval, refetchOnWindowFocus, refetchWhenOffline],
    );
    return createElement(SessionContext.Provider, { value: store }, children);
  };
}
