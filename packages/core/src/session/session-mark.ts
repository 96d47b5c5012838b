import { randomToken } from "../crypto/primitives.ts";
import { MAX_LIFETIME, type Seconds } from "../model/units.ts";
import type { SessionContext, SessionStrategy } from "./strategy.ts";

/*
 * The mark of the session: a random text in a cookie that scripts can read. Hooks compare it, and fetch the session if server code has
 * begun, changed or ended one. It is cleared with the session's cookies, wherever that happens (`session-cookie.ts`). A read that renews
 * them leaves it alone, and so sets one cookie at most.
 */

/** Adds the mark to a strategy. */
export function withSessionMark(strategy: SessionStrategy): SessionStrategy {
  return {
    ...strategy,
    issue: async (context, signedIn) => {
      const id = await strategy.issue(context, signedIn);
      changeMark(context);
      return id;
    },
    update: async (context, data) => {
      const session = await strategy.update(context, data);
      if (session !== null) changeMark(context);
      return session;
    },
    rotate: async (context, expected, change) => {
      const isRotated = await strategy.rotate(context, expected, change);
      if (isRotated) changeMark(context);
      return isRotated;
    },
  };
}

/** Sets a new mark: the session is another one, or has changed. */
const changeMark = (context: SessionContext): void => setMark(context, randomToken(9), MAX_LIFETIME);

/** Clears the mark: there is no session any more. */
export const clearMark = (context: SessionContext): void =>
  context.received.has(context.cookies.sessionMark.name) ? setMark(context, "", 0) : undefined;

function setMark({ cookies, jar }: SessionContext, value: string, maxAge: Seconds): void {
  const { name, options } = cookies.sessionMark;
  jar.set({ name, value, options: { ...options, maxAge } });
}
