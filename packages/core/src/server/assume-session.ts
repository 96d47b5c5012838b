import type { Session } from "../model/records.ts";

/** The return value of `callbacks.session` has its type; without the callback it is `Session`. */
export function assumeSession<S>(session: Session | null): S | null {
  return session as S | null;
}
