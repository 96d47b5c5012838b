import { type Html, html } from "@cardea/extend";

/** Texts of the pages. Placeholders in braces, such as `{days}`, are replaced. */
export interface SecondFactorTexts {
  /** Title of the page that requests a factor, and of the page on which users manage theirs. */
  readonly title: string;
  /** Text of the page that requests a factor. */
  readonly lead: string;
  /** Label of the field for a code. */
  readonly code: string;
  /** Button that submits the code. */
  readonly submit: string;
  /** Check box that also remembers the browser; `{days}` is a number. */
  readonly remember: string;
  /** Heading of the form for a recovery code. */
  readonly recoveryTitle: string;
  /** Text of that form. */
  readonly recoveryLead: string;
  /** Label of its field. */
  readonly recoveryCode: string;
  /** Button of that form. */
  readonly recoverySubmit: string;
  /** Heading of the form for a passkey. */
  readonly passkeyTitle: string;
  /** Button of that form. */
  readonly passkeySubmit: string;
  /** Error: wrong code of an authenticator app. */
  readonly invalidCode: string;
  /** Error: wrong recovery code. */
  readonly invalidRecoveryCode: string;
  /** Error: the passkey was rejected. */
  readonly invalidPasskey: string;
  /** Error: the limit of attempts was reached. */
  readonly tooManyAttempts: string;
  /** Error: the sign-in expired. */
  readonly expired: string;
  /** Title of the page that sets up an authenticator app. */
  readonly enrolTitle: string;
  /** Text of that page. */
  readonly enrolLead: string;
  /** Its first step. */
  readonly enrolScan: string;
  /** Its second step. */
  readonly enrolCode: string;
  /** Description of the QR code for screen readers. */
  readonly qrCode: string;
  /** Text with the key for users who cannot scan the code; `{key}` is the key. */
  readonly enrolKey: string;
  /** Link that opens the key in an authenticator app of the same device. */
  readonly enrolOpen: string;
  /** Button that copies the key, on pages with scripts. */
  readonly enrolCopy: string;
  /** Label of the field for the app's name. */
  readonly appName: string;
  /** Button of that page. */
  readonly enrolSubmit: string;
  /** Title of the page that shows new recovery codes. */
  readonly codesTitle: string;
  /** Text of that page. */
  readonly codesLead: string;
  /** Link that saves the codes as a text file. */
  readonly codesDownload: string;
  /** Button that copies the codes, on pages with scripts. */
  readonly codesCopy: string;
  /** Button that prints the codes, on pages with scripts. */
  readonly codesPrint: string;
  /** Replaces the label of a button that copies once it has. */
  readonly copied: string;
  /** Link that leaves that page. */
  readonly codesSubmit: string;
  /** Title of the page shown when few recovery codes are left. */
  readonly fewTitle: string;
  /** Text of that page; `{count}` is a number. */
  readonly few: string;
  /** Text of that page if one code is left. */
  readonly fewOne: string;
  /** Link that continues from that page. */
  readonly fewContinue: string;
  /** Link from that page to new codes. */
  readonly fewRenew: string;
  /** Title of the page shown if this browser has no pending sign-in. */
  readonly expiredTitle: string;
  /** Text of that page. */
  readonly expiredLead: string;
  /** Title of the page shown to a user who must sign in with a passkey first. */
  readonly usePasskeyTitle: string;
  /** Text of that page. */
  readonly usePasskeyLead: string;
  /** Link to the sign-in page. */
  readonly signIn: string;
  /** Title of the page shown during an outage. */
  readonly unavailableTitle: string;
  /** Text of that page. */
  readonly unavailableLead: string;
  /** Link of that page. */
  readonly tryAgain: string;
  /** Text of the page on which users manage their factors, if they have one. */
  readonly on: string;
  /** Text of that page if they have none. */
  readonly off: string;
  /** Heading of an authenticator app without a name. */
  readonly app: string;
  /** Text about an app that was never used; `{added}` is a date. */
  readonly added: string;
  /** Text about an app; `{added}` and `{used}` are dates. */
  readonly addedAndUsed: string;
  /** Button that removes an app; `{name}` is its name. */
  readonly remove: string;
  /** Quiet button beside an app, which asks first. */
  readonly removeShort: string;
  /** What removing an app does; `{name}` is its name. */
  readonly removeText: string;
  /** Button that adds an app. */
  readonly addApp: string;
  /** Heading about passkeys. */
  readonly passkey: string;
  /** Text about passkeys. */
  readonly passkeyCounts: string;
  /** Heading about recovery codes. */
  readonly codes: string;
  /** Text about recovery codes; `{count}` is a number. */
  readonly codesLeft: string;
  /** Text about recovery codes if one is left. */
  readonly codesLeftOne: string;
  /** Button that creates new recovery codes. */
  readonly renew: string;
  /** What it does, shown before it does. */
  readonly renewText: string;
  /** On the account page: the link to the page of factors. */
  readonly manage: string;
  /** The link to the account page. */
  readonly toAccount: string;
}

/** The texts in English. */
export const TEXTS: SecondFactorTexts = {
  title: "Two-step verification",
  lead: "Enter the six-digit code from your authenticator app.",
  code: "Code",
  submit: "Continue",
  remember: "Remember this browser for {days} days",
  recoveryTitle: "Lost your device?",
  recoveryLead: "Enter one of your recovery codes.",
  recoveryCode: "Recovery code",
  recoverySubmit: "Use recovery code",
  passkeyTitle: "Have a passkey?",
  passkeySubmit: "Use a passkey",
  invalidCode: "That code is incorrect or was already used. Wait for the next code and try again.",
  invalidRecoveryCode: "That recovery code is incorrect or was already used.",
  invalidPasskey: "That passkey wasn’t accepted. Try again or use another method.",
  tooManyAttempts: "Too many attempts. Wait a few minutes and try again.",
  expired: "This sign-in timed out. Start again.",
  enrolTitle: "Add an authenticator app",
  enrolLead: "It shows a six-digit code that you enter when you sign in.",
  enrolScan: "Scan this QR code with your authenticator app.",
  enrolCode: "Enter the six-digit code that the app shows.",
  qrCode: "QR code for your authenticator app",
  enrolKey: "Can’t scan the code? Enter this key instead: {key}",
  enrolOpen: "Open an app on this device",
  enrolCopy: "Copy the key",
  appName: "Name of the app or device (optional)",
  enrolSubmit: "Turn on",
  codesTitle: "Save your recovery codes",
  codesLead:
    "If you lose your device, you can use these codes to sign in. Each code works once. Print them or save them in a password manager: they won’t be shown again.",
  codesDownload: "Download",
  codesCopy: "Copy",
  codesPrint: "Print",
  copied: "Copied",
  codesSubmit: "I’ve saved my codes",
  fewTitle: "Few recovery codes left",
  few: "You have {count} recovery codes left.",
  fewOne: "You have 1 recovery code left.",
  fewContinue: "Continue",
  fewRenew: "Create new codes",
  expiredTitle: "Sign in again",
  expiredLead: "This sign-in timed out or was started in another browser.",
  usePasskeyTitle: "Use your passkey",
  usePasskeyLead: "Your account has a passkey. Sign in with it first; then you can set up an authenticator app.",
  signIn: "Sign in",
  unavailableTitle: "Temporarily unavailable",
  unavailableLead: "We couldn’t check your code. Try again in a moment.",
  tryAgain: "Try again",
  on: "Two-step verification is on.",
  off: "Two-step verification is off.",
  app: "Authenticator app",
  added: "Added {added}.",
  addedAndUsed: "Added {added}, last used {used}.",
  remove: "Remove {name}",
  removeShort: "Remove",
  removeText: "Codes from {name} will no longer be accepted.",
  addApp: "Add an authenticator app",
  passkey: "Passkey",
  passkeyCounts: "Your passkey counts as the second step.",
  codes: "Recovery codes",
  codesLeft: "{count} codes are left.",
  codesLeftOne: "1 code is left.",
  renew: "Create new recovery codes",
  manage: "Manage second factors",
  toAccount: "Your account",
  renewText: "The codes that you have saved will stop working.",
};

/** A short word with a hyphen, such as "six-digit", is not broken across lines. */
const PIECE = /(\{\w+\}|\p{L}{1,8}-\p{L}{1,8})/u;

/** Renders a text, and replaces `{name}`. */
export function render(text: string, values: Readonly<Record<string, string | Html>> = {}): Html {
  const pieces = text.split(PIECE).map((piece, n) => {
    if (n % 2 === 0) return html`${piece}`;
    if (!piece.startsWith("{")) return html`<span class="whole">${piece}</span>`;
    return html`${values[piece.slice(1, -1)] ?? piece}`;
  });
  return html`${pieces}`;
}
