import type { AdapterUser } from "./adapter.ts";
import type { AddedFacts } from "./added-facts.ts";
import type { Attempt, AttemptVerdict } from "./attempt.ts";
import type { Candidate } from "./candidate.ts";
import type { Markup } from "./markup.ts";
import type { OpenedSession } from "./opened-session.ts";
import type { Awaitable } from "./records.ts";
import type { Factor } from "./session-facts.ts";
import type { RequestTools } from "./tools.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** The security properties of one action. */
export interface ActionSpec {
  /**
   * Whether the body must hold the CSRF token. A POST with `none` is for programs: it is given no cookies and sets none, so that no
   * browser's session can be acted upon.
   */
  readonly csrf: "required" | "none";
  /** Whether the path has a second segment, which the extension defines. */
  readonly segment: "none" | "optional" | "required";
  /** What a failure looks like: JSON, or a redirect or a page. */
  readonly answers: "json" | "page";
  /** Whether HEAD runs it: only what changes nothing. */
  readonly head: "run" | "skip";
  run(action: ActionRequest, t: RequestTools): Awaitable<ActionAnswer>;
}

/**
 * A sign-in that waits in this browser because `admit` of the extension asked for something. No one is signed in, and nothing has been
 * written for a user that exists.
 */
export interface PendingSignIn {
  /** Tells the sign-ins of several tabs apart; the forms of a page send it back as `pending`. It is not secret. */
  readonly id: string;
  /** What `admit` was told, as it was then. */
  readonly candidate: Candidate;
  /** Until when it can be completed. */
  readonly expires: EpochSeconds;
  /**
   * Goes on with the sign-in, once: of several calls at the same time one does. It is decided again who the user is, every extension is
   * asked again, and then the session is issued. After an outage the sign-in is still there.
   *
   * @param facts the proofs that the user gave; `admit` finds them among the facts of the candidate.
   * @returns where the browser goes.
   * @throws AccessDenied when an extension refuses, or when the user is another one now; InvalidCheck when it was completed already;
   *   AdapterError, and what issuing throws.
   */
  complete(facts: AddedFacts): Promise<string>;
  /** Gives the sign-in up. */
  drop(): Promise<void>;
}

/** What a provider has to confirm. */
export interface Reauthentication {
  /** How old the proof may be. */
  readonly maxAge: Seconds;
  /** One of these authentication context classes; none: any. */
  readonly acr: readonly string[];
  /** Where to go afterwards; checked. */
  readonly callbackUrl: string;
  /** Where to go when the provider did not confirm it: an action of the extension. */
  readonly otherwise: string;
}

/** A request for an action of an extension: parsed, and its CSRF token checked. */
export interface ActionRequest {
  readonly method: "GET" | "POST";
  /** The second segment of the path; undefined without one. */
  readonly segment: string | undefined;
  readonly query: URLSearchParams;
  /** Own string keys of the body; empty for a GET. */
  readonly body: ReadonlyMap<string, unknown>;
  /** Whether the client wants JSON: it sent `X-Auth-Return-Redirect`, or its `Accept` names no HTML. */
  readonly wantsJson: boolean;
  /**
   * The session of the request, if it is valid for every extension; else null. A session that an extension asks something of is given
   * to the actions of that extension alone.
   *
   * @throws SessionUnavailable.
   */
  session(): Promise<OpenedSession | null>;
  /**
   * The sign-in that waits for this extension in this browser: the one that the request names as `pending`, in its body or its query,
   * else the latest. Null when there is none, or it is older than ten minutes.
   *
   * @throws what the store throws.
   */
  pendingSignIn(): Promise<PendingSignIn | null>;
  /**
   * Asks every extension, then `callbacks.allowAttempt`, whether something may be tried. Call it before anything is checked. `outcome` is called with `success` when the request issues a session, or renews one with a proof; a failure
   * is told with {@link ActionRequest.failed}.
   */
  attempt(attempt: Attempt): Promise<AttemptVerdict>;
  /** Tells every extension that what was tried failed: the proof was wrong. An outage is no failure. */
  failed(): Promise<void>;
  /**
   * Has the user of the session prove themselves again at the OpenID Provider that the session came from (OIDC Core §3.1.2.1). Nothing
   * but a fresh proof comes of it: no user, no account, no other session. It counts for the same issuer and subject, with an `auth_time`
   * within `maxAge` and one of the wanted `acr`; then the session is issued again with the fact `oidc` and, where one was wanted,
   * `acr:<value>`, at `auth_time`.
   *
   * @returns the URL at the provider; null where the session did not come from a provider with ID tokens.
   * @throws OAuthSignInError.
   */
  reauthenticate(wanted: Reauthentication): Promise<string | null>;
  /**
   * Asks every extension whether the session may change how its user signs in. Call it before anything is changed.
   *
   * @param callbackUrl where the user goes on afterwards; checked as every redirect is.
   * @param given proofs that this request holds and that are checked in any case, such as the current password.
   * @returns null where it may; else where the user proves themselves first.
   * @throws SessionUnavailable.
   */
  mayChange(callbackUrl: string, given?: readonly Factor[]): Promise<string | null>;
  /** The CSRF token for a form; null when CSRF protection is off. */
  csrfToken(): Promise<string | null>;
  /** Where to go, checked as every redirect is (docs/behaviour.md#redirects). */
  redirectTo(url: string | null | undefined): Promise<string>;
  /**
   * Signs in the owner of an e-mail address, which this action has proven, as a link in an e-mail does (docs/behaviour.md#sign-in):
   * a user whose address was never proven leads to `confirm-address`, and every extension is asked.
   *
   * @returns where the browser goes.
   * @throws AccessDenied, and the errors of signing in.
   */
  signIn(proof: AddressProof): Promise<string>;
  /** Clears the session cookie of the browser. */
  clearSession(): void;
  /**
   * Re-issues the session of the request with a larger epoch, the one that stays when all others are ended, or with proofs: what was tried
   * succeeded then.
   *
   * @throws SessionUnavailable.
   */
  renewSession(facts: AddedFacts): Promise<void>;
}

/** An e-mail address that an action of an extension has proven. */
export interface AddressProof {
  /** Id of the credentials provider that carries the extension. */
  readonly provider: string;
  /** As `parseEmailAddress` returns it. */
  readonly email: string;
  /** When the link was sent. */
  readonly provenAt: Date;
  /** Where the user goes after sign-in: as `redirectTo` returned it, or an action of the extension. */
  readonly callbackUrl: string;
  /** Called with the user that this sign-in created; if it throws, that user is deleted again. Not called for any other. */
  readonly created?: (user: AdapterUser) => Promise<void>;
}

/** What an action answers. */
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
      /** Whether the page has a form of `t.passkeys`, which needs the script of passkeys. */
      readonly passkeys?: boolean;
    }
  | { readonly kind: "empty"; readonly status: number; readonly headers?: Readonly<Record<string, string>> };
