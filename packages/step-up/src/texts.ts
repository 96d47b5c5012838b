/** Texts of the page. Placeholders in braces, such as `{methods}`, are replaced. */
export interface StepUpTexts {
  /** Title of the page. */
  readonly title: string;
  /** Text of the page. */
  readonly lead: string;
  /** Title of the page for a level with `bind`. */
  readonly bindTitle: string;
  /** Text of that page. */
  readonly bindLead: string;
  /** Text for a user who has no method of the level. */
  readonly noMethod: string;
  /** Text after that one; `{methods}` are the methods that the user can add, joined with `or`. */
  readonly addMethod: string;
  /** The method in that text: a password. */
  readonly aPassword: string;
  /** The method in that text: an authenticator app. */
  readonly anApp: string;
  /** The method in that text: a passkey. */
  readonly aPasskey: string;
  /** Joins the methods in that text. */
  readonly or: string;
  /** Link back to the application. */
  readonly back: string;
  /** Link to the sign-in page. */
  readonly signIn: string;
  /** Button for a confirmation by the user's OpenID Provider. */
  readonly provider: string;
  /** Button of the passkey form. */
  readonly passkey: string;
  /** Label of the password field. */
  readonly password: string;
  /** Button of the password form. */
  readonly passwordSubmit: string;
  /** Label of the field for a code of an authenticator app. */
  readonly code: string;
  /** Button of that form. */
  readonly codeSubmit: string;
  /** Link to the form for a recovery code. */
  readonly recovery: string;
  /** Error: the provider did not confirm. */
  readonly refusedByProvider: string;
  /** Error: the proof was rejected. */
  readonly refused: string;
  /** Error: the confirmation expired. */
  readonly expired: string;
  /** Title of the last page in a separate window. */
  readonly doneTitle: string;
  /** Text of that page. */
  readonly done: string;
}

/** The texts in English. */
export const TEXTS: StepUpTexts = {
  title: "Confirm it’s you",
  lead: "Confirm it’s you to continue.",
  bindTitle: "Confirm this",
  bindLead: "Check the details before you confirm.",
  noMethod: "Your account has no sign-in method that can confirm this.",
  addMethod: "To continue, add {methods} to your account.",
  aPassword: "a password",
  anApp: "an authenticator app",
  aPasskey: "a passkey",
  or: " or ",
  back: "Go back",
  signIn: "Sign in again",
  provider: "Continue with your identity provider",
  passkey: "Confirm with a passkey",
  password: "Password",
  passwordSubmit: "Confirm with your password",
  code: "Code from your authenticator app",
  codeSubmit: "Confirm with a code",
  recovery: "Use a recovery code",
  refusedByProvider: "Your identity provider didn’t confirm this. Try again or use another method.",
  refused: "That didn’t work. Try again or use another method.",
  expired: "This request timed out. Go back and start again.",
  doneTitle: "Confirmed",
  done: "You can close this window and continue where you were.",
};
