import { useContext, useEffect, useSyncExternalStore } from "react";
import { navigate } from "./redirection.ts";
import { SessionContext } from "./session-context.ts";
import type { Authenticated, Loading, SessionState } from "./session-state.ts";

/** Options of `useSession`. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** Whether the component requires a signed-in user: others see `loading`, and `onUnauthenticated` is called. */
  readonly required?: Required | undefined;
  /**
   * Called if no one is signed in; default: opens the sign-in page, which returns to this page. Not called during an
   * outage.
   */
  readonly onUnauthenticated?: (() => void) | undefined;
}

/** Reads the session of the nearest provider. With `required`, `data` is set unless `status` is `loading`. */
export type UseSession<S> = <Required extends boolean = false>(
  options?: UseSessionOptions<Required>,
) => Required extends true ? Authenticated<S> | Loading<S> : SessionState<S>;

/** Reads the session of the nearest provider, whatever its type. */
export function useAnySession({ required, onUnauthenticated }: UseSessionOptions = {}): SessionState<unknown> {
  const store = useContext(SessionContext);
  if (store === null) throw new Error("useSession() requires a <SessionProvider> above this component.");
  const state = useSyncExternalStore(store.subscribe, store.getState, () => store.first);
  const isMissing = required === true && state.status === "unauthenticated";
  // biome-ignore lint/correctness/useExhaustiveDependencies: called when the session is missing, not when the function changes
  useEffect(() => {
    if (!isMissing) return;
    if (onUnauthenticated === undefined) {
      navigate(store.client.signInPage({ error: "SessionRequired", callbackUrl: location.href }));
    } else {
      onUnauthenticated();
    }
  }, [isMissing, store]);
  return isMissing ? { ...state, status: "loading" } : state;
}
