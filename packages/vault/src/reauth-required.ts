import type { ReauthCause } from "./tokens.ts";

/** A sign-in that obtains the missing tokens. */
export interface ReauthSignIn {
  /** For `signIn(provider, undefined, params)`. */
  readonly provider: string;
  /** Authorization parameters: scopes and consent prompt. */
  readonly params: Readonly<Record<string, string>>;
  /** URL of the sign-in page with these parameters; undefined if the origin is unknown, as in a background job. */
  readonly url: string | undefined;
}

const MESSAGES: Readonly<Record<ReauthCause, string>> = {
  missing: "There is no refresh token.",
  revoked: "The provider no longer accepts the refresh token.",
  lost: "A process terminated while it was exchanging the refresh token.",
  scope: "A requested scope was not granted.",
  "not-linked": "The user has no account at this provider.",
};

/** Thrown if the user must consent again to obtain an access token. The session is not affected. */
export class ReauthRequired extends Error {
  /** Identifies the error, including across installed copies of the package. */
  override readonly name = "ReauthRequired";
  /** The reason. */
  override readonly cause: ReauthCause;
  /** Id of the provider to sign in with. */
  readonly provider: string;
  /** The account, if known. */
  readonly accountId: string | undefined;
  /** The sign-in to which the user should be redirected. */
  readonly signIn: ReauthSignIn;

  constructor(cause: ReauthCause, signIn: ReauthSignIn, accountId?: string) {
    super(`${MESSAGES[cause]} The user must sign in with "${signIn.provider}" again.`);
    this.cause = cause;
    this.provider = signIn.provider;
    this.accountId = accountId;
    this.signIn = signIn;
  }
}
