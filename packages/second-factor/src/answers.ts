import type { ActionAnswer, ActionRequest, RequestTools } from "@cardea/extend";
import type { Factor, Settings } from "./options.ts";
import { type FormError, type FormFrame, factorPage, unavailablePage } from "./pages.ts";
import type { Subject } from "./subject.ts";

/** The values that the forms of a page submit. */
export async function frameOf(action: ActionRequest, t: RequestTools, subject: Subject | null): Promise<FormFrame> {
  const to = action.body.get("callbackUrl") ?? action.query.get("callbackUrl");
  return {
    baseUrl: t.baseUrl,
    csrfToken: await action.csrfToken(),
    pending: subject?.kind === "pending" ? subject.pending.id : null,
    callbackUrl: subject?.kind === "session" && typeof to === "string" ? to : null,
    lang: t.lang,
  };
}

/** What a refusal adds to its error. */
interface RefusalDetails {
  readonly retryAfter?: number | undefined;
  /** The kind of proof that was wrong; default an authenticator code. */
  readonly kind?: Factor["kind"];
}

/** Shows the form again, with an error. */
export async function refuse(
  settings: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
  error: FormError,
  { retryAfter, kind }: RefusalDetails = {},
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
  const own = ownPage(settings, action, subject, error);
  return own ?? factorPage(await frameOf(action, t, subject), settings, error, t, kind);
}

/** Redirects to the application's page; null if none is configured. */
export function ownPage(
  { page }: Settings,
  action: ActionRequest,
  subject: Subject,
  error: FormError | null,
): ActionAnswer | null {
  return action.ownPage(page, { pending: subject.kind === "pending" ? subject.pending.id : null, error });
}

/** Redirects a browser; a program receives the URL as JSON. */
export function goTo(action: ActionRequest, url: string): ActionAnswer {
  return action.wantsJson ? json(200, { url }) : { kind: "redirect", url };
}

/** JSON response for a program. */
export function json(status: number, body: unknown): ActionAnswer {
  return { kind: "json", status, body };
}

/** Errors that end a sign-in. After any other error (an outage), the sign-in can continue. */
const FINAL: readonly unknown[] = [
  "AccessDenied",
  "CallbackRouteError",
  "InvalidCheck",
  "JWTSessionError",
  "OAuthAccountNotLinked",
  "Verification",
];

/** Whether an error ends a sign-in. */
export function isFinal(error: unknown): boolean {
  return FINAL.includes(Object(error).type);
}

/** During an outage, access is denied but the pending sign-in is kept. */
export async function withOutage(
  { texts }: Settings,
  action: ActionRequest,
  t: RequestTools,
  run: () => Promise<ActionAnswer>,
): Promise<ActionAnswer> {
  try {
    return await run();
  } catch (error) {
    if (isFinal(error)) throw error;
    t.logger.error(error instanceof Error ? error : new Error(String(error)));
    if (action.wantsJson) {
      const headers = { "retry-after": "5" };
      return { kind: "json", status: 503, body: { error: "factor", code: "unavailable" }, headers };
    }
    const pending = action.body.get("pending") ?? action.query.get("pending");
    const named = typeof pending === "string" && /^[\w-]{8}$/.test(pending) ? pending : null;
    return unavailablePage(texts, {
      ...{ baseUrl: t.baseUrl, csrfToken: null, pending: named, callbackUrl: null, lang: t.lang },
    });
  }
}
