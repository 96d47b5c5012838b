import { createElement, type ReactElement, type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import type { Connection } from "./connection.ts";
import { SessionContext } from "./session-context.ts";
import { type RefetchOptions, SessionStore } from "./session-store.ts";
import type { ClientOptions } from "./types.ts";

/** Props of `SessionProvider`; where the server is counts at the first render. */
export interface SessionProviderProps<S> extends ClientOptions, RefetchOptions {
  /** What the server knows: a session, or null for nobody. Absent: the page asks. Another one than before is taken over. */
  readonly session?: S | null | undefined;
  readonly children?: ReactNode;
}

/** Before paint, and before the effects of children, which may sign in; the server knows neither, and would warn. */
const useEarlyEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * Makes the provider of a client.
 *
 * @param options where the server is, unless the props say so.
 * @param mounted holds the connection of each provider while it is on the page.
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
