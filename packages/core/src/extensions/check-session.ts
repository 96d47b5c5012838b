import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { FlowContext } from "../model/context.ts";
import { SessionUnavailable } from "../model/errors.ts";
import type { OpenedSession, SessionVerdict } from "../model/opened-session.ts";
import type { Awaitable } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import { type Bound, ownsAction } from "./bind.ts";
import { type JoinedVerdict, joinVerdicts, parseSessionVerdict } from "./laws.ts";

/** Made once: a read makes nothing that it does not need. */
const FRESH = { isFresh: true } as const;
const REMEMBERED = { isFresh: false } as const;

/**
 * Asks every extension about a session; none is left out, because `ended` of the last one counts before a question of the first. The
 * answer is there at once where no extension needs to wait.
 *
 * @throws SessionUnavailable.
 */
export function checkSession(
  { list, toolsOf }: Bound,
  context: FlowContext,
  session: OpenedSession,
  isFresh = false,
): Awaitable<SessionVerdict> {
  let joined: JoinedVerdict = "valid";
  let failure: unknown;
  const pending: Promise<void>[] = [];
  for (const extension of list) {
    if (extension.checkSession === undefined) continue;
    const join = (answer: unknown) => {
      joined = joinVerdicts(
        joined,
        parseSessionVerdict(answer, (action) => ownsAction(extension, action)),
      );
    };
    const fail = (error: unknown) => {
      failure = error;
      joined = joinVerdicts(joined, "unavailable");
    };
    try {
      const answer: unknown = extension.checkSession(
        session,
        toolsOf(context, extension),
        isFresh ? FRESH : REMEMBERED,
      );
      if (isPromise(answer)) pending.push(withTimeout(APPLICATION_TIMEOUT_MS, answer).then(join, fail));
      else join(answer);
    } catch (error) {
      fail(error);
    }
  }
  if (pending.length === 0) return settle(joined, failure);
  return Promise.all(pending).then(() => settle(joined, failure));
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && "then" in answer && typeof answer.then === "function";
}

function settle(joined: JoinedVerdict, failure: unknown): SessionVerdict {
  if (joined !== "unavailable") return joined;
  const cause = failure === undefined ? {} : { cause: { err: toError(failure) } };
  throw new SessionUnavailable("An extension could not check the session. The cookie was kept; retry later.", cause);
}
