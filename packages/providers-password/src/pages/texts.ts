/** Texts of the pages and messages. `{name}` is replaced. */
export interface PasswordTexts {
  /** Title of the registration form. */
  readonly registerTitle: string;
  /** Its button. */
  readonly registerSubmit: string;
  /** The link to it on the sign-in page. */
  readonly registerLink: string;
  /** Title of the page after a message was sent. */
  readonly sentTitle: string;
  /** Its text after a registration; the same for every address. */
  readonly sentRegister: string;
  /** Its text after a request for a new password; the same for every address. */
  readonly sentReset: string;
  /** Title of the page that a registration link opens. */
  readonly confirmTitle: string;
  /** Its text; `{email}` is the address. */
  readonly confirmLead: string;
  /** Its button. */
  readonly confirmSubmit: string;
  /** Its text in a browser other than the one that registered. */
  readonly otherBrowser: string;
  /** Title of the form that requests a new password. */
  readonly resetTitle: string;
  /** Its text. */
  readonly resetLead: string;
  /** Its button. */
  readonly resetSubmit: string;
  /** The link to it on the sign-in page. */
  readonly resetLink: string;
  /** Button of the page that its link opens. */
  readonly resetContinue: string;
  /** Title of the form for a new password after a reset. */
  readonly chooseTitle: string;
  /** Its button, and that of the forms to change and add a password. */
  readonly chooseSubmit: string;
  /** Title of the form that changes a password. */
  readonly changeTitle: string;
  /** Title of the form that adds one. */
  readonly addTitle: string;
  /** Title of the form for a longer password, within a sign-in. */
  readonly growTitle: string;
  /** Its text. */
  readonly growLead: string;
  /** Title of the form with which a signed-in user proves themselves once more. */
  readonly proveTitle: string;
  /** Its button. */
  readonly proveSubmit: string;
  /** Title of the page after a change. */
  readonly doneTitle: string;
  /** Its text. */
  readonly done: string;
  /** Label of the address. */
  readonly email: string;
  /** Label of the password. */
  readonly password: string;
  /** Label of the current password. */
  readonly currentPassword: string;
  /** Label of the new password. */
  readonly newPassword: string;
  /** The hint under a new password; `{min}` is the number of characters. */
  readonly hint: string;
  /** The link back to the sign-in page. */
  readonly backToSignIn: string;
  /** Texts of refusals, by the value of `error`. */
  readonly errors: Readonly<Record<string, string>>;
  /** Messages by their kind; `{host}`, `{url}` and `{time}` are replaced. */
  readonly mails: Readonly<Record<"confirm-address" | "already-registered" | "reset" | "changed", MailTexts>>;
}

/** Subject and text of a message. */
export interface MailTexts {
  /** Subject of the message. */
  readonly subject: string;
  /** Its text, without markup. */
  readonly text: string;
}

const unasked = "If you did not ask for this, you can ignore this message: nothing changes.";

/** English. */
export const defaultTexts: PasswordTexts = {
  registerTitle: "Create an account",
  registerSubmit: "Create account",
  registerLink: "Create an account",
  sentTitle: "Check your e-mail",
  sentRegister: "If this address can be used, we've sent it a link that completes your registration.",
  sentReset: "If an account has this address, we've sent it a link for a new password.",
  confirmTitle: "Confirm your address",
  confirmLead: "Confirm that {email} is your address to create your account.",
  confirmSubmit: "Confirm",
  otherBrowser: "This isn't the browser in which the registration began. Choose a password to continue here.",
  resetTitle: "Reset your password",
  resetLead: "Enter your address and we'll send you a link.",
  resetSubmit: "Send link",
  resetLink: "Forgot your password?",
  resetContinue: "Continue",
  chooseTitle: "Choose a new password",
  chooseSubmit: "Save password",
  changeTitle: "Change your password",
  addTitle: "Add a password",
  growTitle: "Choose a longer password",
  growLead: "Your account no longer needs a second step at each sign-in. Choose a longer password to continue.",
  proveTitle: "Confirm it's you",
  proveSubmit: "Confirm",
  doneTitle: "Password saved",
  done: "Your password was saved. You've been signed out everywhere else.",
  email: "E-mail",
  password: "Password",
  currentPassword: "Current password",
  newPassword: "New password",
  hint: "At least {min} characters. A few random words work well.",
  backToSignIn: "Back to sign-in",
  errors: {
    "too-short": "That password is too short.",
    "too-long": "That password is too long.",
    guessable: "That password is too easy to guess. Use more that isn't your name, your address or ours.",
    common: "That password is one of the most common ones. Choose another.",
    breached: "That password appeared in a data breach of another site. Choose another.",
    "wrong-password": "The current password is incorrect.",
    "invalid-address": "Enter a single, valid e-mail address.",
    "invalid-link": "This link has expired or was already used. Request a new one.",
    unavailable: "This isn't available right now.",
    busy: "We're busy right now. Try again in a moment.",
    "too-many-attempts": "Too many attempts. Try again later.",
    unchecked: "We couldn't check that password right now. Try again in a moment.",
    changed: "Your password was changed at the same time. Try again.",
  },
  mails: {
    "confirm-address": {
      subject: "Confirm your address at {host}",
      text: `Open this link to complete your registration at {host}:\n\n{url}\n\nThe link works once and for {time}. ${unasked}\n`,
    },
    "already-registered": {
      subject: "You already have an account at {host}",
      text: `Someone tried to register at {host} with your address, which already has an account. Sign in, or choose a new password:\n\n{url}\n\n${unasked}\n`,
    },
    reset: {
      subject: "Choose a new password at {host}",
      text: `Open this link to choose a new password at {host}:\n\n{url}\n\nThe link works once and for {time}. ${unasked}\n`,
    },
    changed: {
      subject: "Your password at {host} was changed",
      text: "Your password at {host} was changed. If this wasn't you, reset it right away:\n\n{url}\n",
    },
  },
};

/** Replaces `{name}`. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
