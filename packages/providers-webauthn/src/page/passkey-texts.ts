import type { Texts } from "@cardea/extend";

/** The English texts of passkeys. */
export const englishPasskeyTexts: Texts["passkey"] = {
  submit: "Sign in with a passkey",
  create: "Create an account with a passkey",
  hint: "You can leave this empty if you already have a passkey.",
  waiting: "Follow the steps in your browser.",
  cancelled: "No passkey was used. Try again or use another sign-in method.",
  timedOut: "The request timed out. Have your passkey ready and try again.",
  noAuthenticator: "This device can’t store passkeys for this site. Try another device or use another sign-in method.",
  notSupported: "This browser can’t use passkeys here. Try another browser or use another sign-in method.",
  alreadyRegistered: "This device already has a passkey for that account. Use it to sign in.",
  refused: "That passkey wasn’t accepted. Try another passkey or use another sign-in method.",
  unreached: "We couldn’t reach the server. Check your connection and try again.",
  noScript: "Passkeys require JavaScript, which is turned off in this browser.",
};
