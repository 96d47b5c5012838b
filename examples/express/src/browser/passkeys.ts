/** The button on the members' page that adds a passkey. */
import { createClient, type PasskeyFailure } from "@cardea/client";

const { registerPasskey } = createClient({ basePath: "/auth" });

/** What to say; nothing where the person has changed their mind. */
const TEXTS: Readonly<Record<PasskeyFailure | "Refused", string>> = {
  Aborted: "",
  Cancelled: "No passkey was added.",
  TimedOut: "The request timed out. Have your passkey ready and try again.",
  NotSupported: "This browser cannot use passkeys here.",
  NoAuthenticator: "This device can’t store passkeys for this site.",
  AlreadyRegistered: "This device already has one of your passkeys.",
  Refused: "That passkey was not accepted.",
  ClientFetchError: "The server did not respond. Try again.",
};

const button = document.querySelector<HTMLButtonElement>("#add-passkey");
const note = document.querySelector<HTMLElement>("#passkeys ~ [role=alert]");

function say(text: string): void {
  if (note === null) return;
  note.textContent = text;
  note.hidden = text === "";
}

button?.addEventListener("click", async () => {
  button.disabled = true;
  say("");
  // The page is loaded again when it went well, and shows the passkey.
  const response = await registerPasskey({ redirect: false });
  if (response.ok) location.reload();
  else say(TEXTS[response.error]);
  button.disabled = false;
});
if (button !== null) button.hidden = false;
