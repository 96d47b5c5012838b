/** Texts of the pages and e-mails. Placeholders in braces, such as `{host}`, are replaced. */
export interface PasswordTexts {
  /** Title of the registration form. */
  readonly registerTitle: string;
  /** Button of the registration form. */
  readonly registerSubmit: string;
  /** Link to the registration form on the sign-in page. */
  readonly registerLink: string;
  /** Title of the page shown after an e-mail was sent. */
  readonly sentTitle: string;
  /** Text of that page after a registration; the same for every address. */
  readonly sentRegister: string;
  /** Text of that page after a reset request; the same for every address. */
  readonly sentReset: string;
  /** Title of the page opened by a registration link. */
  readonly confirmTitle: string;
  /** Text of that page; `{email}` is the address. */
  readonly confirmLead: string;
  /** Button of that page. */
  readonly confirmSubmit: string;
  /** Text of that page in a browser other than the one used to register. */
  readonly otherBrowser: string;
  /** Title of the form that requests a password reset. */
  readonly resetTitle: string;
  /** Text of that form. */
  readonly resetLead: string;
  /** Button of that form. */
  readonly resetSubmit: string;
  /** Link to that form on the sign-in page. */
  readonly resetLink: string;
  /** Button of the page opened by a reset link. */
  readonly resetContinue: string;
  /** Title of the form for a new password after a reset. */
  readonly chooseTitle: string;
  /** Button of the forms to choose, change and add a password. */
  readonly chooseSubmit: string;
  /** Title of the form that changes a password. */
  readonly changeTitle: string;
  /** Title of the form that adds a password. */
  readonly addTitle: string;
  /** Title of the form that requires a longer password during sign-in. */
  readonly growTitle: string;
  /** Text of that form. */
  readonly growLead: string;
  /** Title of the form in which a signed-in user enters their password again. */
  readonly proveTitle: string;
  /** Button of that form. */
  readonly proveSubmit: string;
  /** Title of the page shown after a password was saved. */
  readonly doneTitle: string;
  /** Text of that page if every other session has ended. */
  readonly done: string;
  /** Text of that page if this session has also ended. */
  readonly doneEverywhere: string;
  /** Text of that page if sessions cannot be ended. */
  readonly doneOnly: string;
  /** Label of the e-mail field. */
  readonly email: string;
  /** Label of the password field. */
  readonly password: string;
  /** Label of the field for the current password. */
  readonly currentPassword: string;
  /** Label of the field for the new password. */
  readonly newPassword: string;
  /** Hint below the field for a new password; `{min}` is the minimum length. */
  readonly hint: string;
  /** The link back to the sign-in page. */
  readonly backToSignIn: string;
  /** Error messages, by the value of `error`. */
  readonly errors: Readonly<Record<string, string>>;
  /** The link from the password page to the account page. */
  readonly toAccount: string;
  /** E-mails by kind; `{host}`, `{url}` and `{time}` are replaced. */
  readonly mails: Readonly<Record<"confirm-address" | "already-registered" | "reset" | "changed", MailTexts>>;
}

/** Subject and text of an e-mail. */
export interface MailTexts {
  /** Subject of the e-mail. */
  readonly subject: string;
  /** Plain text of the e-mail. */
  readonly text: string;
}

const unasked = "If you didn't request this, you can ignore this e-mail.";

/** English. */
export const defaultTexts: PasswordTexts = {
  registerTitle: "Create an account",
  registerSubmit: "Create account",
  registerLink: "Create an account",
  sentTitle: "Check your e-mail",
  sentRegister: "If this address can be used, we’ve sent it a link to complete your registration.",
  sentReset: "If there is an account with this address, we’ve sent it a link to reset your password.",
  confirmTitle: "Confirm your address",
  confirmLead: "To create your account, confirm that {email} is your address.",
  confirmSubmit: "Confirm",
  otherBrowser: "You started registering in a different browser. Choose a password to continue here.",
  resetTitle: "Reset your password",
  resetLead: "Enter your address and we’ll send you a link.",
  resetSubmit: "Send link",
  resetLink: "Forgot your password?",
  resetContinue: "Continue",
  chooseTitle: "Choose a new password",
  chooseSubmit: "Save password",
  changeTitle: "Change your password",
  addTitle: "Add a password",
  growTitle: "Choose a longer password",
  growLead: "Your account no longer uses two-step verification, so it needs a longer password. Choose one to continue.",
  proveTitle: "Confirm it’s you",
  proveSubmit: "Confirm",
  doneTitle: "Password saved",
  done: "Your password was saved. You’ve been signed out on all other devices.",
  doneEverywhere:
    "Your password was saved. You’ve been signed out on all devices, including this one. Sign in with your new password.",
  doneOnly: "Your password was saved.",
  email: "E-mail",
  password: "Password",
  currentPassword: "Current password",
  newPassword: "New password",
  hint: "At least {min} characters. A few random words work well.",
  backToSignIn: "Back to sign-in",
  toAccount: "Your account",
  errors: {
    "too-short": "That password is too short.",
    "too-long": "That password is too long.",
    guessable: "That password is too easy to guess. Avoid your name, your e-mail address and the name of this site.",
    common: "That password is too common. Choose another one.",
    breached: "That password has appeared in a data breach of another site. Choose another one.",
    "wrong-password": "The current password is incorrect.",
    "invalid-address": "Enter a single, valid e-mail address.",
    "invalid-link": "This link has expired or was already used. Request a new one.",
    unavailable: "This isn’t available right now.",
    busy: "We’re busy right now. Try again in a moment.",
    "too-many-attempts": "Too many attempts. Try again later.",
    unchecked: "We couldn’t check that password right now. Try again in a moment.",
    changed: "Your password was just changed elsewhere. Try again.",
  },
  mails: {
    "confirm-address": {
      subject: "Confirm your address at {host}",
      text: `Open this link to complete your registration at {host}:\n\n{url}\n\nThe link works once and expires in {time}. ${unasked}\n`,
    },
    "already-registered": {
      subject: "You already have an account at {host}",
      text: `Someone tried to register at {host} with your e-mail address, but you already have an account. Sign in, or reset your password:\n\n{url}\n\n${unasked}\n`,
    },
    reset: {
      subject: "Choose a new password at {host}",
      text: `Open this link to choose a new password at {host}:\n\n{url}\n\nThe link works once and expires in {time}. ${unasked}\n`,
    },
    changed: {
      subject: "Your password at {host} was changed",
      text: "Your password at {host} was changed. If this wasn't you, reset your password immediately:\n\n{url}\n",
    },
  },
};

/** Replaces `{name}`. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
