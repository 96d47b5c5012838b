import type { Session } from "@cardea/core";
import {
  createElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";
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
  /**
   * Message if the server ended the session: text, an element, or a function that receives the reason; null shows nothing.
   * Default: "You were signed out."
   */
  readonly signedOut?: ReactNode | ((why: string) => ReactNode);
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
  // biome-ignore lint/correctness/noComponentHookFactories: created once per client, never while rendering
  return function SessionProvider(props: SessionProviderProps<S>): ReactElement {
    const { children, session, signedOut, refetchInterval, refetchOnWindowFocus, refetchWhenOffline } = props;
    const { basePath = options.basePath, baseUrl = options.baseUrl } = props;
    const [store] = useState(() => new SessionStore({ basePath, baseUrl }, session));
    useEarlyEffect(() => {
      mounted.add(store.client);
      return store.start();
    }, [store]);
    // Suspense ends early effects when it hides a provider that stays mounted, but not these.
    useEffect(
      () => () => {
        mounted.delete(store.client);
      },
      [store],
    );
    useEarlyEffect(() => store.take(session), [store, session]);
    useEffect(
      () => store.watch({ refetchInterval, refetchOnWindowFocus, refetchWhenOffline }),
      [store, refetchInterval, refetchOnWindowFocus, refetchWhenOffline],
    );
    return createElement(
      SessionContext.Provider,
      { value: store },
      children,
      createElement(SignedOutNotice, { store, show: signedOut }),
    );
  };
}

interface NoticeProps {
  readonly store: Pick<SessionStore<unknown>, "subscribe" | "getState" | "first">;
  readonly show: SessionProviderProps["signedOut"];
}

/** Shows a message, only to users whose session the server ended. Announced by screen readers. */
function SignedOutNotice({ store, show }: NoticeProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.getState, () => store.first);
  const why = state.status === "unauthenticated" ? state.ended : undefined;
  if (why === undefined) return null;
  if (show === undefined) return createElement("div", { role: "alert" }, "You were signed out.");
  return typeof show === "function" ? show(why) : show;
}
