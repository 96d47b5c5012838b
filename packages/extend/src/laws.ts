import { parseAddedFacts } from "@cardea/core/extension-host";
import type { Admission, AttemptVerdict, SessionVerdict } from "@cardea/core/extension-kit";

/**
 * How the answers of several extensions are combined. Each hook is a conjunction: any extension can refuse, and none
 * can override the refusal of another. An undocumented answer counts as a refusal.
 */
export const LAWS = {
  attempt: {
    asked: "in order, until one refuses",
    wins: "the first refusal",
    undocumented: "refuses",
    throws: "refuses; the error goes to the log",
  },
  admit: {
    asked: "in order, until one refuses or asks",
    wins: "the first refusal or question; the facts of all are joined",
    undocumented: "refuses",
    throws: "refuses, with the error",
  },
  checkSession: {
    asked: "all",
    wins: "ended, then unavailable, then the first question, then valid",
    undocumented: "is unavailable",
    throws: "is unavailable",
  },
  mayChange: {
    asked: "in order, until one asks",
    wins: "the first question",
    undocumented: "leads to the sign-in page",
    throws: "refuses, with the error",
  },
  onSignOut: {
    asked: "all, after the local end",
    wins: "the first URL",
    undocumented: "is ignored",
    throws: "the sign-out is incomplete",
  },
  observe: { asked: "all", wins: "nothing", undocumented: "is ignored", throws: "goes to the log" },
} as const;

/** Validates an answer of `attempt`. */
export function parseAttemptVerdict(answer: unknown): AttemptVerdict {
  const { allow, code, retryAfter }: Record<string, unknown> = Object(answer);
  if (allow === true) return { allow };
  const isCode = typeof code === "string" && /^[\w-]{1,64}$/.test(code);
  const isTime = typeof retryAfter === "number" && Number.isFinite(retryAfter) && retryAfter > 0;
  return {
    allow: false,
    code: isCode ? code : "too_many_attempts",
    retryAfter: isTime ? Math.ceil(retryAfter) : 60,
  };
}

/** Validates an answer of `admit`. Anything other than the three documented answers is a refusal. */
export function parseAdmission(answer: unknown, isOwnAction: (action: string) => boolean): Admission {
  const { admit, facts, ask, refuse }: Record<string, unknown> = Object(answer);
  if (refuse !== undefined) return { refuse: typeof refuse === "string" ? refuse : "it gave no reason" };
  if (ask !== undefined) {
    return typeof ask === "string" && isOwnAction(ask)
      ? { ask }
      : { refuse: "it redirected to an action of another extension" };
  }
  if (admit !== true) return { refuse: "it returned an undocumented answer" };
  return { admit: true, facts: parseAddedFacts(facts) };
}

/** The combined result of checking a session. */
export type JoinedVerdict = SessionVerdict | "unavailable";

/** Validates an answer of `checkSession`. */
export function parseSessionVerdict(answer: unknown, isOwnAction: (action: string) => boolean): JoinedVerdict {
  if (answer === "valid" || answer === "ended") return answer;
  const { ask, ended }: Record<string, unknown> = Object(answer);
  if (ended !== undefined) return typeof ended === "string" && /^[\w-]{1,64}$/.test(ended) ? { ended } : "ended";
  return typeof ask === "string" && isOwnAction(ask) ? { ask } : "unavailable";
}

const RANKS = { valid: 0, ask: 1, unavailable: 2, ended: 3 } as const;

function rankOf(verdict: JoinedVerdict): number {
  if (typeof verdict === "string") return RANKS[verdict];
  return "ended" in verdict ? RANKS.ended : RANKS.ask;
}

/** The stronger of two answers; of two challenges, the first. */
export function joinVerdicts(first: JoinedVerdict, second: JoinedVerdict): JoinedVerdict {
  return rankOf(second) > rankOf(first) ? second : first;
}
