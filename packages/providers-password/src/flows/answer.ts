import type { ActionAnswer, ActionRequest, AttemptVerdict, RequestTools } from "@cardea/extend";
import { PoolFull } from "../hash/pool.ts";
import type { Settings } from "../options.ts";

/** The context of every step of this package. */
export interface Step {
  readonly settings: Settings;
  readonly action: ActionRequest;
  readonly t: RequestTools;
}

/** The query with which a page is shown again. */
export type Query = Readonly<Record<string, string>>;

/** The pages of this package, by the action that shows them. */
export type PageName = "register" | "reset" | "password";

/** URL of an action; `password` has no provider in its path. */
export function actionUrl({ settings, t }: Pick<Step, "settings" | "t">, page: PageName, segment?: string): string {
  const own = page === "password" ? segment : settings.id;
  return `${t.baseUrl}/${page}${own === undefined ? "" : `/${own}`}`;
}

/** Redirects to a page after a form submission, so that reloading resubmits nothing. Keeps `callbackUrl`. */
export function toPage(step: Step, page: PageName, query: Readonly<Record<string, string>>): ActionAnswer {
  const url = new URL(actionUrl(step, page));
  const callbackUrl = query.callbackUrl ?? fieldOf(step, "callbackUrl");
  url.search = new URLSearchParams({ ...query, ...(callbackUrl === "" ? {} : { callbackUrl }) }).toString();
  return { kind: "redirect", url: url.href };
}

/** The application's page that replaces a built-in one; null if none is configured. */
export function ownPage({ settings, action }: Step, page: PageName): ActionAnswer | null {
  const told = ["step", "token", "pending", "error"].map((name) => [name, action.query.get(name)] as const);
  return action.ownPage(settings.pages[page], Object.fromEntries(told));
}

/** Redirects a browser; a program receives the URL as JSON. */
export function goTo(action: ActionRequest, url: string): ActionAnswer {
  return action.wantsJson ? { kind: "json", status: 200, body: { url } } : { kind: "redirect", url };
}

/** The text of a field; empty if missing. */
export function fieldOf({ action }: Pick<Step, "action">, name: string): string {
  const value = action.body.get(name);
  return typeof value === "string" ? value : "";
}

/** The response to a rejected attempt; for programs with status and waiting time. */
export function tooMany(step: Step, page: PageName, verdict: AttemptVerdict, query: Query = {}): ActionAnswer {
  const retryAfter = verdict.allow ? 60 : verdict.retryAfter;
  return later(step, page, { error: "too-many-attempts", status: 429, retryAfter }, query);
}

/** Responds with 503 if the pool is full; rethrows other errors. */
export function busyAnswer(step: Step, page: PageName, error: unknown, query: Query = {}): ActionAnswer {
  if (!(error instanceof PoolFull)) throw error;
  return later(step, page, { error: "busy", status: 503, retryAfter: error.retryAfter }, query);
}

function later(
  step: Step,
  page: PageName,
  why: { readonly error: string; readonly status: number; readonly retryAfter: number },
  query: Query,
) {
  const { error, status, retryAfter } = why;
  const token = fieldOf(step, "token");
  const answer = toPage(step, page, { ...query, error, ...(token === "" ? {} : { token }) });
  if (!step.action.wantsJson || answer.kind !== "redirect") return answer;
  const headers = { "retry-after": String(retryAfter) };
  return { kind: "json", status, body: { url: answer.url }, headers } as const;
}

/** Redirects to the sign-in page, and from there back to the password page. */
export function toSignIn({ t }: Pick<Step, "t">): ActionAnswer {
  const url = new URL(`${t.baseUrl}/signin`);
  url.searchParams.set("callbackUrl", `${t.baseUrl}/password`);
  url.searchParams.set("error", "SessionRequired");
  return { kind: "redirect", url: url.href };
}

/** The provider is not from this package. */
export const NOT_FOUND: ActionAnswer = { kind: "json", status: 404, body: { message: "Not found." } };
