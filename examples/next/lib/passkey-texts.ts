import type { PasskeyResponse } from "@cardea/next/react";

type Failure = Extract<PasskeyResponse, { ok: false }>;

/** What to say when a passkey did not work. */
const TEXTS: Readonly<Record<Failure["error"], string>> = {
  Aborted: "",
  Cancelled: "No passkey was used. Try again, or come in another way.",
  TimedOut: "That took too long. Try again when your device is at hand.",
  NotSupported: "This browser cannot use passkeys here.",
  NoAuthenticator: "No device here can keep a passkey.",
  AlreadyRegistered: "This device has a passkey of yours already.",
  Refused: "That passkey was not accepted.",
  ClientFetchError: "The server did not answer. Try again.",
};

/** Nothing where it worked, or where nobody waits for it any more. */
export function explainPasskey(response: PasskeyResponse): string | null {
  if (response.ok) return null;
  if (response.error === "Refused" && response.reason === "OAuthAccountNotLinked")
    return "Somebody signed in with that e-mail address in another way. Come as you did then.";
  return TEXTS[response.error] || null;
}
