import { type PendingKind, readPending, storePending } from "../cookies/pending.ts";
import { encodeBase64url, hmac, randomToken } from "../crypto/primitives.ts";
import type { ActionContext, BodyFields, FlowContext } from "../model/context.ts";
import type { Choice } from "../model/identity.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";
import type { OtherAccount } from "../session/accounts.ts";
import { identifySession } from "../session/identify-session.ts";

/**
 * Two users share a browser: one is signed in, and a sign-in that began on the built-in page proves an account that is not theirs. The page
 * `confirm-account` asks whose it is (docs/behaviour.md#two-users-in-one-browser). Nothing that was proven is stored: the account proves
 * itself again, with the answer.
 */

/** The field by which forms of the built-in sign-in page are recognised. */
export const PAGE_FIELD = "signInPage";

/** The value of that field in a session; undefined where nothing can be added to its user. */
export async function pageFieldOf(context: FlowContext): Promise<string | undefined> {
  const session = context.config.adapter === undefined ? null : await identifySession(context);
  return session === null ? undefined : macOf(context.config.secrets[0] ?? "", session.fingerprint);
}

/**
 * What a sign-in does with an account that is not that of the signed-in user: `ask` if a form of the built-in page started it in this very
 * session, undefined for the application's own.
 */
export async function readChoice(
  { config }: FlowContext,
  fields: BodyFields,
  fingerprint: string | undefined,
): Promise<Choice | undefined> {
  const given = fields.get(PAGE_FIELD);
  if (typeof given !== "string" || fingerprint === undefined) return undefined;
  for (const secret of config.secrets) {
    if (isEqualInConstantTime(given, await macOf(secret, fingerprint))) return { answer: "ask", account: "" };
  }
  return undefined;
}

async function macOf(secret: string, fingerprint: string): Promise<string> {
  return encodeBase64url((await hmac(secret, JSON.stringify(["sign-in page", fingerprint]))).subarray(0, 32));
}

/** A question that this browser was asked. */
export interface Question extends OtherAccount {
  /** Public; the form of the page names the question by it. */
  readonly id: string;
  /** The provider of the account. */
  readonly provider: string;
  /** Destination after sign-in; validated. */
  readonly callbackUrl: string;
}

/** The cookies of several tabs are told apart by the id. No provider has this id, so that none of their sign-ins is read as a question. */
const QUESTION: PendingKind<Omit<Question, "id">> = {
  cookie: "state",
  purpose: "state",
  write: ({ provider, account, label, userId, fingerprint, isKnown, callbackUrl }) => ({
    ...{ to: callbackUrl, provider, account, label, user: userId, session: fingerprint, known: isKnown ? "1" : "" },
  }),
  parse: ({ to, provider = "", account = "", label = "", user = "", session = "", known }) =>
    to === undefined
      ? null
      : { callbackUrl: to, provider, account, label, userId: user, fingerprint: session, isKnown: known === "1" },
};

const ceremonyOf = (id: string) => ({ provider: { id: ":confirm-account" }, secret: id });

/** Asks whose an account is. Returns the URL of the page. */
export async function askWhose(context: FlowContext, question: Omit<Question, "id">): Promise<string> {
  const id = randomToken(16);
  await storePending(context, QUESTION, ceremonyOf(id), question);
  return `${context.baseUrl}/confirm-account?pending=${id}`;
}

/** The question of a request, while the session that was asked is there; otherwise null. */
export async function findQuestion(context: ActionContext): Promise<Question | null> {
  const id = context.request.body.get("pending") ?? context.query.get("pending");
  if (typeof id !== "string" || id === "") return null;
  const question = await readPending(context, QUESTION, ceremonyOf(id));
  const session = question && (await identifySession(context, { isFresh: true }));
  return question && session?.fingerprint === question.fingerprint ? { ...question, id } : null;
}
