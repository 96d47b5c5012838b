import type { PasskeyResponse } from "@cardea/next/react";

type Failure = Extract<PasskeyResponse, { ok: false }>;

/** What to say when a passkey did not work. */
const TEXTS: Readonly<Record<Failure["error"], string>> = {
  Aborted: "",
  Cancelled: "No passkey was used. Try again, or use another sign-in method.",
  TimedOut: "The request timed out. Have your passkey ready and try again.",
  NotSupported: "This browser cannot use passkeys here.",
  NoAuthenticator: "This device can’t store passkeys for this site.",
  AlreadyRegistered: "This device already has one of your passkeys.",
  Refused: "That passkey was not accepted.",
  ClientFetchError: "The server did not respond. Try again.",
};

/** Nothing where it worked, or where no one waits for it any more. */
export function explainPasskey(response: PasskeyResponse): string | null {
  if (response.ok) return null;
  if (response.error === "Refused" && response.reason === "OAuthAccountNotLinked")
    return "An account with this e-mail address already exists. Sign in the way you originally signed up.";
  return TEXTS[response.error] || null;
}
