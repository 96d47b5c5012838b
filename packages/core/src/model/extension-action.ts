import type { AdapterUser } from "./adapter.ts";
import type { Attempt, AttemptVerdict } from "./attempt.ts";
import type { AddedMethod, Candidate } from "./candidate.ts";
import type { OpenedSession } from "./opened-session.ts";
import type { Awaitable } from "./records.ts";
import type { Section } from "./section.ts";
import type { AddedFacts, Factor } from "./session-facts.ts";
import type { Markup } from "./theme.ts";
import type { RequestTools } from "./tools.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** The security properties of one action. */
export interface ActionSpec {
  /**
   * Whether the body must contain the CSRF token. A POST with `none` is for programs: it receives and sets no cookies,
   * so that it cannot act on a browser's session.
   */
  readonly csrf: "required" | "none";
  /** Whether the path has a second segment, which the extension defines. */
  readonly segment: "none" | "optional" | "required";
  /** The form of error responses: JSON, or a redirect or page. */
  readonly answers: "json" | "page";
  /** Whether HEAD runs the action. Only for actions without side effects. */
  readonly head: "run" | "skip";
  /**
   * Handles the request and returns the response. If it throws, the error response has the format in `answers`. An outage of the store
   * or the database becomes a 503 in the format that the client requested (docs/extensions.md#outages).
   */
  run(action: ActionRequest, t: RequestTools): Awaitable<ActionAnswer>;
}

/**
 * A pending sign-in in this browser, interrupted by `admit` of the extension. The user is not signed in, and nothing
 * has been written for an existing user.
 */
export interface PendingSignIn {
  /** Distinguishes the sign-ins of several tabs. Forms submit it as `pending`. Not secret. */
  readonly id: string;
  /** The candidate that `admit` received. */
  readonly candidate: Candidate;
  /** When it expires. */
  readonly expires: EpochSeconds;
  /**
   * Continues the sign-in, once: of several concurrent calls, one succeeds. The user is determined again, every
   * extension is asked again, and then the session is issued. After an outage, the sign-in is still pending.
   *
   * @param facts The proofs that the user gave; `admit` receives them in the facts of the candidate.
   * @returns The URL to redirect to.
   * @throws AccessDenied if an extension refuses, or the user changed; InvalidCheck if the sign-in was already
   * completed; AdapterError, and errors of issuing the session.
   */
  complete(facts: AddedFacts): Promise<string>;
  /** Cancels the sign-in. */
  cancel(): Promise<void>;
}

/** Options of {@link ActionRequest.reauthenticate}. */
export interface Reauthentication {
  /** Maximum age of the proof. */
  readonly maxAge: Seconds;
  /** Accepted authentication context classes; empty: any. */
  readonly acr: readonly string[];
  /** Destination afterwards; already validated. */
  readonly callbackUrl: string;
  /** Destination if the provider did not confirm the user: an action of the extension. */
  readonly otherwise: string;
}

/** A request for an action of an extension. It is parsed, and its CSRF token is verified. */
export interface ActionRequest {
  /** The HTTP method; `GET` also for HEAD. */
  readonly method: "GET" | "POST";
  /** The second segment of the path; undefined without one. */
  readonly segment: string | undefined;
  /** The query of the URL, decoded. Its `callbackUrl` is validated (docs/behaviour.md#redirects). */
  readonly query: URLSearchParams;
  /** Fields of the body; empty for a GET. Its `callbackUrl` is validated; one that is not text is missing. */
  readonly body: ReadonlyMap<string, unknown>;
  /**
   * Whether the client expects JSON: it sent `X-Auth-Return-Redirect`, or its `Accept` header does not include HTML.
   */
  readonly wantsJson: boolean;
  /**
   * The session of the request, if every extension considers it valid; otherwise null. A session challenged by an
   * extension is visible only to actions of that extension. In a POST action, extensions bypass their caches.
   *
   * @throws SessionUnavailable.
   */
  session(): Promise<OpenedSession | null>;
  /**
   * This browser's pending sign-in for this extension: the one identified by `pending` in the body or query, otherwise
   * the latest. Null if there is none, or it is older than ten minutes.
   *
   * @throws errors of the store.
   */
  pendingSignIn(): Promise<PendingSignIn | null>;
  /**
   * Asks every extension, then `callbacks.allowAttempt`, whether an attempt is allowed. Call it before checking
   * anything. `outcome` is called with `success` if the request issues a session, or renews one with a proof. Report a
   * failure with {@link ActionRequest.failed}.
   */
  attempt(attempt: Attempt): Promise<AttemptVerdict>;
  /** Notifies every extension that the attempt failed because the proof was wrong. An outage is not a failure. */
  failed(): Promise<void>;
  /**
   * Re-authenticates the session's user at the OpenID Provider that the session came from (OIDC Core §3.1.2.1). Creates
   * no user, account or other session. The response must have the same issuer and subject, an `auth_time` within
   * `maxAge`, and an accepted `acr`. The session is then re-issued with the fact `oidc` and, if `acr` was requested,
   * `acr:<value>`, dated `auth_time`.
   *
   * @returns The URL at the provider; null if the session did not come from a provider that issues ID tokens.
   * @throws OAuthSignInError.
   */
  reauthenticate(wanted: Reauthentication): Promise<string | null>;
  /**
   * Asks whether the session may change its user's sign-in methods: every extension and, if something is added, whether the sign-in is recent
   * enough (`maxSignInAge`, docs/behaviour.md#account-linking). Call it before changing anything.
   *
   * @param callbackUrl Destination after the proof; validated like every redirect.
   * @param given Proofs that this request contains and that are checked separately, such as the current password.
   * @param adds What is added to the user; absent if something is changed or removed.
   * @returns null if the change is allowed; otherwise the URL where the user gives a proof first.
   * @throws SessionUnavailable.
   */
  mayChange(callbackUrl: string, given?: readonly Factor[], adds?: AddedMethod): Promise<string | null>;
  /**
   * What the other extensions show on this page about the user of a session.
   *
   * @param callbackUrl Destination of their forms and links; a result of `redirectTo`, or an action of the extension.
   */
  sections(slot: "account", session: OpenedSession, callbackUrl: string): Promise<readonly Section[]>;
  /**
   * The address or user name that was typed in this browser, on the built-in sign-in page or on one that called `keepIdentifier`, for the
   * field of this page; undefined if none was. As it was typed: escape and parse it.
   */
  identifier(): Promise<string | undefined>;
  /**
   * Keeps what was typed for the fields of the following pages, encrypted in a cookie of 15 minutes that ends with the sign-in. It is never
   * in a URL, which is logged and sent to other sites. Anything but a text of up to 320 characters is ignored. Never pass a password.
   */
  keepIdentifier(typed: unknown): Promise<void>;
  /** The CSRF token for a form; null if CSRF protection is disabled. */
  csrfToken(): Promise<string | null>;
  /**
   * Redirects to the application's page that replaces the one of this action, with nothing of the request but its validated `callbackUrl`.
   *
   * @param page From an option that satisfies `optionRules.page`.
   * @param parameters Everything else that the page receives; null: absent.
   * @returns null if there is no such page, or if it is the URL of this action.
   */
  ownPage(page: string | undefined, parameters: Readonly<Record<string, string | null>>): ActionAnswer | null;
  /** Validates a redirect target (docs/behaviour.md#redirects). */
  redirectTo(url: string | null | undefined): Promise<string>;
  /**
   * Signs in the owner of an e-mail address that this action has verified, like an e-mail link
   * (docs/behaviour.md#sign-in): a user whose address was never verified is redirected to `confirm-address`, and every
   * extension is asked.
   *
   * @returns The URL to redirect to.
   * @throws AccessDenied, and errors of signing in.
   */
  signIn(proof: AddressProof): Promise<string>;
  /** Clears the session cookie of the browser. */
  clearSession(): void;
  /**
   * Re-issues the session of the request, either with a larger epoch, to keep it when all others end, or with proofs,
   * which reports the attempt as successful.
   *
   * @throws SessionUnavailable.
   */
  renewSession(facts: AddedFacts): Promise<void>;
}

/** An e-mail address verified by an action of an extension. */
export interface AddressProof {
  /** Id of the credentials provider that carries the extension. */
  readonly provider: string;
  /** The address, in any spelling that `parseEmailAddress` accepts: users may be stored with capitals. */
  readonly email: string;
  /** When the link was sent. */
  readonly provenAt: Date;
  /** Destination after sign-in: a result of `redirectTo`, or an action of the extension. */
  readonly callbackUrl: string;
  /** Called if this sign-in created the user. If it throws, the user is deleted. Not called for existing users. */
  readonly created?: (user: AdapterUser) => Promise<void>;
}

/** The response of an action. */
export type ActionAnswer =
  | { readonly kind: "redirect"; readonly url: string }
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "page";
      readonly status: number;
      readonly title: string;
      readonly main: Markup;
      /** Whether the page contains a form of `t.passkeys`, which needs the passkey script. */
      readonly passkeys?: boolean;
      /** For pages with lists: twice as wide where there is room. */
      readonly isWide?: boolean;
    }
  | { readonly kind: "empty"; readonly status: number; readonly headers?: Readonly<Record<string, string>> };
