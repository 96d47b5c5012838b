/** Subject and text of a message. Placeholders: `{host}`, `{url}`, `{address}`, `{what}`, `{date}`. */
export interface MailText {
  /** The subject; one line. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Texts of the pages and messages. Placeholders in braces, such as `{provider}`, are replaced. */
export type AccountTexts = {
  readonly [Name in Exclude<keyof typeof defaultTexts, "mails" | "errors">]: string;
} & {
  /** Messages by kind, see {@link import("./options.ts").AccountMail}. */
  readonly mails: { readonly [Kind in keyof (typeof defaultTexts)["mails"]]: MailText };
  /** Errors by the code in the query. */
  readonly errors: { readonly [Code in keyof (typeof defaultTexts)["errors"]]: string };
};

/** English. */
export const defaultTexts = {
  title: "Your account",
  back: "Back to your account",
  done: "Your changes were saved.",
  profileTitle: "Profile",
  userSince: "Member since {date}",
  name: "Name",
  save: "Save",
  address: "E-mail address",
  addressVerified: "Verified",
  addressUnverified: "Not verified",
  newAddress: "New e-mail address",
  changeAddress: "Change",
  changeAddressText: "We’ll send a link to the new address. Your address changes when you open it.",
  changeAddressSubmit: "Change e-mail address",
  addressPending: "We sent a link to the new address. Your address changes when you open it.",
  addressPendingApproval:
    "We sent a link to the new address and one to your current address. Your address changes when both were opened. If you can’t read your current mail, confirm it’s you with a password, an authenticator app or a passkey first.",
  cancelChange: "Cancel the change",
  signInTitle: "Ways to sign in",
  signInWith: "You signed in with {provider}.",
  addressMethod: "Link by e-mail",
  thisSession: "Used for this session",
  connect: "Connect {provider}",
  connectTitle: "Connect {provider}",
  connectLead: "Sign in with {provider} to use it for this account too.",
  disconnect: "Remove",
  disconnectText: "You can no longer sign in with {provider}. Sessions that began with it end.",
  accountSince: "Connected on {date}",
  accountUsed: "Last used",
  formerProvider: "No longer offered",
  passkeysTitle: "Passkeys",
  passkey: "Passkey",
  passkeySynced: "On all your devices",
  passkeyDevice: "On one device",
  passkeyKey: "Security key",
  passkeyAdded: "Added on {date}",
  passkeyUsed: "Last used",
  passkeyName: "Name",
  renamePasskey: "Rename",
  renamePasskeyText: "Choose a name by which you recognize it.",
  addPasskey: "Add a passkey",
  removePasskey: "Remove",
  removePasskeyText: "You can no longer sign in with this passkey.",
  noPasskeys: "You have no passkeys.",
  passwordTitle: "Password",
  hasPassword: "You have a password.",
  noPassword: "You have no password.",
  changePassword: "Change password",
  addPassword: "Add a password",
  removePassword: "Remove password",
  removePasswordText: "You can no longer sign in with your password.",
  dataTitle: "Your data",
  dataLead: "A file with everything that this page shows.",
  export: "Download your data",
  remove: "Delete account",
  removeText:
    "Your account will be deleted on {date}. Until then, you can sign in and cancel. You are signed out everywhere now.",
  removeNowText: "Your account is deleted now, with everything that belongs to it. This cannot be undone.",
  removeSubmit: "Delete my account",
  removedTitle: "Your account will be deleted",
  removedLead: "It is deleted on {date}. To keep it, sign in before then.",
  keepTitle: "Your account will be deleted",
  keepLead: "It is deleted on {date}. Cancel the deletion to sign in.",
  keepSubmit: "Cancel deletion and sign in",
  leaveSubmit: "Go on with the deletion",
  confirmTitle: "Confirm your new address",
  confirmLead: "{address} becomes the address of your account.",
  confirmSubmit: "Confirm",
  waitingTitle: "One more step",
  waitingLead:
    "The address was confirmed. It changes when the link that we sent to your current address was opened too.",
  changedTitle: "Your address was changed",
  changedLead: "{address} is now the address of your account.",
  approveTitle: "Change your address?",
  approveLead: "Someone who is signed in to your account asked to change its address to {address}.",
  approveSubmit: "Change the address",
  denySubmit: "This wasn’t me",
  deniedTitle: "Your account is safe",
  deniedLead:
    "The address stays as it is, and you were signed out everywhere. Sign in again, and change your password if you have one.",
  undoTitle: "Restore your address?",
  undoLead:
    "{address} becomes the address of your account again. Passwords, passkeys and second factors that were added or changed since are removed, and you are signed out everywhere.",
  undoSubmit: "Restore my address",
  undoneTitle: "Your address was restored",
  undoneLead: "Sign in again, and check your ways to sign in.",
  undoConflictTitle: "Your address is in use",
  undoConflictLead:
    "Another account has verified this address since, so it cannot be restored. All sessions of the former account were ended, and its new address no longer signs in. Contact support.",
  expiredTitle: "This link no longer works",
  expiredLead: "It was used, or it expired. If you still need it, start again.",
  signIn: "Sign in",
  errors: {
    "invalid-address": "Enter one e-mail address.",
    "invalid-name": "Enter a name of at most 200 characters.",
    "invalid-passkey-name": "Enter a name of at most 100 characters.",
    "too-many": "Too many messages. Wait a few minutes and try again.",
    last: "This is your last way to sign in. Add another one first.",
    missing: "This was removed already.",
    refused: "Your account cannot be deleted. Contact support.",
    unavailable: "This is not available here.",
    pending: "Your account is to be deleted. Cancel the deletion first.",
  },
  mails: {
    "confirm-address": {
      subject: "Confirm your new address for {host}",
      text: "Open this page to make {address} the address of your account at {host}:\n\n{url}\n\nIf you didn’t ask for this, ignore this message.",
    },
    "approve-address": {
      subject: "Change of your address at {host}?",
      text: "Someone who is signed in to your account at {host} asked to change its e-mail address to {address}.\n\nTo agree, or to say that this wasn’t you, open this page:\n\n{url}",
    },
    "address-taken": {
      subject: "Your address at {host}",
      text: "Someone asked to use this address for an account at {host}. It belongs to another account there, so nothing was changed.\n\nIf it was you: sign in with this address.",
    },
    "address-changed": {
      subject: "Your address at {host} was changed",
      text: "The e-mail address of your account at {host} was changed to {address}.\n\nIf this wasn’t you, restore your address here until {date}:\n\n{url}",
    },
    "address-restored": {
      subject: "Your address at {host} was restored",
      text: "The e-mail address of an account at {host} was changed back to {address} by its owner.",
    },
    "method-removed": {
      subject: "A way to sign in to {host} was removed",
      text: "{what} can no longer be used to sign in to your account at {host}.\n\nIf this wasn’t you, sign in and check your account: {url}",
    },
    "passkey-renamed": {
      subject: "A passkey of your account at {host} was renamed",
      text: "A passkey of your account at {host} is now named {what}.\n\nIf this wasn’t you, sign in and check your account: {url}",
    },
    "method-added": {
      subject: "A way to sign in to {host} was added",
      text: "{what} can now be used to sign in to your account at {host}.\n\nIf this wasn’t you, sign in and remove it: {url}",
    },
    "profile-changed": {
      subject: "Your profile at {host} was changed",
      text: "The name of your account at {host} was changed.\n\nIf this wasn’t you, sign in and check your account: {url}",
    },
    "deletion-requested": {
      subject: "Your account at {host} will be deleted",
      text: "Your account at {host} will be deleted on {date}. To keep it, sign in before then and cancel the deletion: {url}",
    },
    "deletion-cancelled": {
      subject: "Your account at {host} stays",
      text: "The deletion of your account at {host} was cancelled. If this wasn’t you, sign in and check your account: {url}",
    },
    deleted: {
      subject: "Your account at {host} was deleted",
      text: "Your account at {host} was deleted, with everything that belonged to it.",
    },
  },
} as const;

/** Replaces `{name}` in a text. Unknown names stay. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** A day, in the language of the page; in English if its language is unknown. */
export function dayOf(at: Date, lang = "en"): string {
  const options = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  try {
    return new Intl.DateTimeFormat(lang, options).format(at);
  } catch {
    return new Intl.DateTimeFormat("en", options).format(at);
  }
}
