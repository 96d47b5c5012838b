import { randomToken } from "../crypto/primitives.ts";
import { MAX_LIFETIME, type Seconds } from "../model/units.ts";
import type { SessionContext, SessionStrategy } from "./strategy.ts";

/**
 * Adds the mark of the session to a strategy: a random text in a cookie that scripts can read. Hooks compare it, and fetch the session if
 * server code has begun, updated or ended one. Reads leave it alone, renewals included: they set one cookie at most.
 */
export function withSessionMark(strategy: SessionStrategy): SessionStrategy {
  return {
    ...strategy,
    issue: async (context, signedIn) => {
      const id = await strategy.issue(context, signedIn);
      setMark(context, randomToken(9), MAX_LIFETIME);
      return id;
    },
    update: async (context, data) => {
      const session = await strategy.update(context, data);
      if (session !== null) setMark(context, randomToken(9), MAX_LIFETIME);
      else clearMark(context);
      return session;
    },
    revoke: async (context) => {
      const revoked = await strategy.revoke(context);
      clearMark(context);
      return revoked;
    },
  };
}

const clearMark = (context: SessionContext): void =>
  context.received.has(context.cookies.sessionMark.name) ? setMark(context, "", 0) : undefined;

function setMark({ cookies, jar }: SessionContext, value: string, maxAge: Seconds): void {
  const { name, options } = cookies.sessionMark;
  jar.set({ name, value, options: { ...options, maxAge } });
}
