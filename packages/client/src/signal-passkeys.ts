import { sendSignal } from "@simplewebauthn/browser";
import type { Transport } from "./transport.ts";

/** The part of a server's response about a user's passkeys (docs/behaviour.md#actions). */
interface Signals {
  readonly rpId: string;
  readonly userId: string;
  readonly name: string;
  readonly displayName: string;
  readonly allAcceptedCredentialIds: string[];
  readonly unknownCredentialId?: string;
}

/** Sends a signal, in browsers that support it. It may fail: the passkey then stays as it is, and is rejected again. */
async function send(signal: Parameters<typeof sendSignal>[0]): Promise<void> {
  await sendSignal(signal).catch(() => undefined);
}

/** Tells the device that the server does not know a passkey (WebAuthn L3 §5.1.10.2). */
export function forgetPasskey(rpID: string | undefined, credentialID: string): Promise<void> {
  return rpID === undefined ? Promise.resolve() : send({ signalName: "unknownCredential", rpID, credentialID });
}

/** How long a page that is about to be left waits for the server, in milliseconds. */
const PATIENCE = 2000;

/**
 * Tells the device which passkeys the signed-in user has, and how the user is called now (WebAuthn L3 §5.1.10.3, §5.1.10.4). Never rejects.
 *
 * @param handle the user handle of the passkey that was just used or created, base64url: the server cannot know that of every passkey.
 */
export async function signalPasskeys(
  get: Transport["get"],
  { provider = "passkey", removed }: { readonly provider?: string | undefined; readonly removed?: string | undefined },
  handle?: string,
): Promise<void> {
  if (typeof globalThis.PublicKeyCredential?.signalAllAcceptedCredentials !== "function") return;
  const query = new URLSearchParams({ action: "signals", ...(removed === undefined ? {} : { removed }) });
  try {
    const answer = await get(`webauthn-options/${provider}?${query}`, AbortSignal.timeout(PATIENCE));
    const { signals } = (answer.body ?? {}) as { readonly signals?: Signals | null };
    if (signals) await sendAll(signals, handle);
  } catch {
    // Only a hint for the device.
  }
}

async function sendAll(signals: Signals, handle: string | undefined): Promise<void> {
  const { rpId: rpID, name: userName, displayName: userDisplayName, unknownCredentialId } = signals;
  const handles = new Set([signals.userId, ...(handle === undefined ? [] : [handle])]);
  if (unknownCredentialId !== undefined) await forgetPasskey(rpID, unknownCredentialId);
  for (const userID of handles) {
    const allAcceptedCredentialIDs = signals.allAcceptedCredentialIds;
    await send({ signalName: "allAcceptedCredentials", rpID, userID, allAcceptedCredentialIDs });
    await send({ signalName: "currentUserDetails", rpID, userID, userName, userDisplayName });
  }
}
