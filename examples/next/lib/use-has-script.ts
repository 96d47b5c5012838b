import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether scripts have taken over what the server rendered: before that, and without any script, a click does nothing. */
export function useHasScript(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
