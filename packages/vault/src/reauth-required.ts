import type { ReauthCause } from "./tokens.ts";

/** A sign-in that brings the missing tokens. */
export interface ReauthSignIn {
  /** For `signIn(provider, undefined, params)`. */
  readonly provider: string;
  /** Authorization parameters: the scopes, and the request for consent. */
  readonly params: Readonly<Record<string, string>>;
  /** The sign-in page with these parameters; undefined where the origin is not known, as in a background job. */
  readonly url: string | undefined;
}

const MESSAGES: Readonly<Record<ReauthCause, string>> = {
  missing: "There is no refresh token.",
  revoked: "The provider no longer accepts the refresh token.",
  lost: "A process ended while it was exchanging the refresh token.",
  scope: "A requested scope was not granted.",
  "not-linked": "The user has no account at this provider.",
};

/** The user must consent again before there is an access token. The session goes on. */
export class ReauthRequired extends Error {
  override readonly name = "ReauthRequired";
  /** Why. */
  override readonly cause: ReauthCause;
  /** The provider that has to be asked. */
  readonly provider: string;
  /** The account, where it is known. */
  readonly accountId: string | undefined;
  /** Where to send the user. */
  readonly signIn: ReauthSignIn;

  constructor(cause: ReauthCause, signIn: ReauthSignIn, accountId?: string) {
    super(`${MESSAGES[cause]} Send the user to sign in with "${signIn.provider}" again.`);
    this.cause = cause;
    this.provider = signIn.provider;
    this.accountId = accountId;
    this.signIn = signIn;
  }
}
