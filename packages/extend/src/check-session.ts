import {
  APPLICATION_TIMEOUT_MS,
  type CheckedSession,
  type FlowContext,
  type FoundSession,
  wasReplaced,
  withTimeout,
} from "@cardea/core/extension-host";
import {
  type Extension,
  type OpenedSession,
  SessionUnavailable,
  type SessionVerdict,
  toError,
} from "@cardea/core/extension-kit";
import { createRequestTools } from "./create-tools.ts";
import { extensionsOf, ownsAction } from "./extensions-of.ts";
import { type JoinedVerdict, joinVerdicts, parseSessionVerdict } from "./laws.ts";

/** Created once, to avoid allocations on reads. */
const FRESH = { isFresh: true } as const;
const REMEMBERED = { isFresh: false } as const;

/** The answers of the extensions so far. */
interface Answers {
  joined: JoinedVerdict;
  failure: unknown;
  /** Pending answers. */
  readonly pending: Promise<void>[];
}

/**
 * Asks every extension about a session. All are asked, because `ended` from the last takes precedence over a challenge
 * from the first.
 *
 * @throws SessionUnavailable.
 */
export async function checkSession(
  context: FlowContext,
  session: OpenedSession,
  isFresh = false,
): Promise<SessionVerdict> {
  let answers: Answers | undefined;
  for (const extension of extensionsOf(context.config)) {
    if (extension.checkSession === undefined) continue;
    try {
      const freshness = isFresh ? FRESH : REMEMBERED;
      const answer: unknown = extension.checkSession(session, createRequestTools(context, extension.id), freshness);
      // Nearly every session is valid; avoid allocations for it.
      if (answer === "valid") continue;
      answers ??= noAnswers();
      take(answers, extension, answer);
    } catch (error) {
      answers ??= noAnswers();
      fail(answers, error);
    }
  }
  if (answers === undefined) return "valid";
  await Promise.all(answers.pending);
  return settle(answers);
}

const noAnswers = (): Answers => ({ joined: "valid", failure: undefined, pending: [] });

function take(answers: Answers, extension: Extension, answer: unknown): void {
  const join = (given: unknown) => {
    const verdict = parseSessionVerdict(given, (action) => ownsAction(extension, action));
    answers.joined = joinVerdicts(answers.joined, verdict);
  };
  answers.pending.push(
    withTimeout(APPLICATION_TIMEOUT_MS, answer)
      .then(join)
      .catch((error) => fail(answers, error)),
  );
}

function fail(answers: Answers, error: unknown): void {
  answers.failure = error;
  answers.joined = joinVerdicts(answers.joined, "unavailable");
}

function settle({ joined, failure }: Answers): SessionVerdict {
  if (joined !== "unavailable") return joined;
  const cause = failure === undefined ? {} : { cause: { err: toError(failure) } };
  throw new SessionUnavailable("An extension could not check the session. The cookie was kept; retry later.", cause);
}

/** Adds to the answer about a session that ended whether its token was replaced in the browser a moment ago. */
export async function withReplacement(
  context: FlowContext,
  found: FoundSession,
  verdict: SessionVerdict,
): Promise<CheckedSession> {
  if (verdict === "valid" || (typeof verdict === "object" && "ask" in verdict)) return verdict;
  const ended = verdict === "ended" ? verdict : verdict.ended;
  return { ended, isReplaced: await wasReplaced(context, found) };
}
