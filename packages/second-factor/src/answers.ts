import type { ActionAnswer, ActionRequest, RequestTools } from "@cardea/core/extend";
import type { Settings } from "./options.ts";
import { type FormError, type FormFrame, factorPage, unavailablePage } from "./pages.ts";
import type { Subject } from "./subject.ts";

/** What the forms of a page send. */
export async function frameOf(action: ActionRequest, t: RequestTools, subject: Subject | null): Promise<FormFrame> {
  const to = action.body.get("callbackUrl") ?? action.query.get("callbackUrl");
  return {
    baseUrl: t.baseUrl,
    csrfToken: await action.csrfToken(),
    pending: subject?.kind === "pending" ? subject.pending.id : null,
    callbackUrl: subject?.kind === "session" && typeof to === "string" ? to : null,
  };
}

/** The form again, with what is wrong. */
export async function refuse(
  settings: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
  error: FormError,
  retryAfter?: number,
): Promise<ActionAnswer> {
  if (action.wantsJson) {
    const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return {
      kind: "json",
      status: retryAfter === undefined ? 401 : 429,
      body: { error: "factor", code: error },
      headers,
    };
  }
  if (settings.page !== undefined) return ownPage(settings.page, subject, error, t);
  return factorPage(await frameOf(action, t, subject), settings, error, t);
}

/** The application's own page. */
export function ownPage(page: string, subject: Subject, error: FormError | null, t: RequestTools): ActionAnswer {
  const url = new URL(page, t.origin);
  if (subject.kind === "pending") url.searchParams.set("pending", subject.pending.id);
  if (error !== null) url.searchParams.set("error", error);
  return { kind: "redirect", url: url.href };
}

/** Leads on; a program gets the URL. */
export function goTo(action: ActionRequest, url: string): ActionAnswer {
  return action.wantsJson ? json(200, { url }) : { kind: "redirect", url };
}

/** JSON for a program. */
export function json(status: number, body: unknown): ActionAnswer {
  return { kind: "json", status, body };
}

/** Errors that end a sign-in; everything else is an outage, after which it goes on. */
const FINAL: readonly unknown[] = [
  "AccessDenied",
  "CallbackRouteError",
  "InvalidCheck",
  "JWTSessionError",
  "OAuthAccountNotLinked",
  "Verification",
];

/** An outage lets no one in, and keeps the sign-in. */
export async function withOutage(
  action: ActionRequest,
  t: RequestTools,
  run: () => Promise<ActionAnswer>,
): Promise<ActionAnswer> {
  try {
    return await run();
  } catch (error) {
    const { type }: { type?: unknown } = Object(error);
    if (FINAL.includes(type)) throw error;
    t.logger.error(error instanceof Error ? error : new Error(String(error)));
    if (action.wantsJson) {
      const headers = { "retry-after": "5" };
      return { kind: "json", status: 503, body: { error: "factor", code: "unavailable" }, headers };
    }
    const pending = action.body.get("pending") ?? action.query.get("pending");
    const named = typeof pending === "string" && /^[\w-]{8}$/.test(pending) ? pending : null;
    return unavailablePage({ baseUrl: t.baseUrl, csrfToken: null, pending: named, callbackUrl: null });
  }
}
