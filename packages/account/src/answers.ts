import {
  type ActionAnswer,
  type ActionRequest,
  type AdapterUser,
  components,
  html,
  isRecent,
  type OpenedSession,
  type RequestTools,
  type Seconds,
} from "@cardea/extend";
import type { Settings } from "./options.ts";

/** The context of every step of this package. */
export interface Step {
  readonly settings: Settings;
  readonly action: ActionRequest;
  readonly t: RequestTools;
}

/** A signed-in user. */
export interface Owner {
  readonly session: OpenedSession;
  readonly user: AdapterUser;
}

/** A code of the texts for errors. */
export type ErrorCode = keyof Settings["texts"]["errors"];

/** Statuses of errors for programs. */
const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  last: 409,
  missing: 404,
  refused: 403,
  pending: 409,
  "too-many": 429,
};

/** Length of a passkey's name, in UTF-16 units: longer ones are shown nowhere in full. */
export const MAX_PASSKEY_NAME = 100;

/** URL of the account page. */
export const accountUrl = ({ baseUrl }: Pick<RequestTools, "baseUrl">) => `${baseUrl}/account`;

/** The text of a field; empty if missing. */
export function fieldOf({ action }: Pick<Step, "action">, name: string): string {
  const value = action.body.get(name);
  return typeof value === "string" ? value : "";
}

/** Back to the account page after a form, so that reloading resubmits nothing; a program receives the result. */
export function toAccount(
  { action, t }: Step,
  result: { readonly error?: ErrorCode; readonly done?: string; readonly passkey?: string },
): ActionAnswer {
  const { error } = result;
  if (action.wantsJson)
    return error === undefined
      ? { kind: "json", status: 200, body: { url: accountUrl(t), ...result } }
      : { kind: "json", status: STATUS[error] ?? 400, body: { error } };
  return { kind: "redirect", url: `${accountUrl(t)}?${new URLSearchParams({ ...result })}` };
}

/** To a page where the user signs in or proves something first. */
function elsewhere({ action }: Step, url: string): ActionAnswer {
  const body = { error: "proof_required", url };
  return action.wantsJson ? { kind: "json", status: 401, body } : { kind: "redirect", url };
}

/** To the sign-in page, and back. */
export function toSignIn(step: Step): ActionAnswer {
  return elsewhere(step, `${step.t.baseUrl}/signin?${new URLSearchParams({ callbackUrl: accountUrl(step.t) })}`);
}

/** The user of the request; null without a session, or if the user no longer exists. @throws SessionUnavailable, AdapterError. */
export async function findOwner({ action, t }: Step): Promise<Owner | null> {
  const session = await action.session();
  const user = session && t.adapterHas("getUser") ? await t.callAdapter("getUser", session.userId) : null;
  return session && user && { session, user };
}

/** Maximum age of the last proof: an hour where `@cardea/step-up` asks for one with its own limit (ASVS 7.5.1). */
const [FRESH, FRESH_BESIDE_STEP_UP]: readonly [Seconds, Seconds] = [15 * 60, 60 * 60];

/**
 * Whether a session may change its user's account: `mayChange` agrees, and the user signed in or gave a proof recently. A stolen session
 * alone is not enough.
 *
 * @param adds What the session is about to add.
 * @returns null if it may; otherwise the answer.
 * @throws SessionUnavailable.
 */
export async function refuseChange(
  step: Step,
  { session }: Pick<Owner, "session">,
  adds?: "account" | "address",
): Promise<ActionAnswer | null> {
  const { action, t } = step;
  const url = await action.mayChange(accountUrl(t), [], adds);
  if (url !== null) return elsewhere(step, url);
  const within = t.hasExtension("step-up") ? FRESH_BESIDE_STEP_UP : FRESH;
  const { f = [], at = session.at ?? 0 } = (await session.facts()) ?? {};
  const isFresh = isRecent(at, within, t.now()) || f.some(([, time]) => isRecent(time, within, t.now()));
  return isFresh ? null : toSignIn(step);
}

/** A page with a sentence and a link. */
export function messagePage(
  { action }: Pick<Step, "action">,
  {
    title,
    lead,
    link,
    status = 200,
  }: {
    readonly title: string;
    readonly lead: string;
    readonly link: { readonly href: string; readonly label: string };
    readonly status?: number;
  },
): ActionAnswer {
  if (action.wantsJson) return { kind: "json", status, body: { message: lead } };
  const main = html`${components.lead(lead)}${components.buttonLinks({ ...link, kind: "main" })}`;
  return { kind: "page", status, title, main };
}

/** There is no such path. */
export const NOT_FOUND: ActionAnswer = { kind: "json", status: 404, body: { message: "Not found." } };
