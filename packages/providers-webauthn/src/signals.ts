import { type AdapterAuthenticator, encodeBase64url, isSameId, type SignInTools } from "@cardea/extend";
import { decodeBase64 } from "./base64.ts";
import { decoyMac, isDecoy } from "./decoys.ts";
import type { PasskeyProvider } from "./passkey-provider.ts";
import { findSignedInUser, requestFor } from "./provider-hooks.ts";
import { resolveRelyingParty } from "./relying-party.ts";
import { entityOf } from "./user-handle.ts";

/** What a browser tells its authenticators about the passkeys of a user (WebAuthn L3 §5.1.10.3, §5.1.10.4). */
export interface PasskeySignals {
  readonly action: "signals";
  /** Null without a session: the ids of a user's passkeys are for no one else (§14.6.3). */
  readonly signals: {
    readonly rpId: string;
    /** The user handle of passkeys that were added in a session, base64url. */
    readonly userId: string;
    readonly name: string;
    readonly displayName: string;
    /** All credential ids that the user signs in with, base64url. */
    readonly allAcceptedCredentialIds: readonly string[];
    /** A removed credential, if the request named one that no user has, base64url. */
    readonly unknownCredentialId?: string;
  } | null;
}

/**
 * Reads what authenticators should know of the user of the session. Writes nothing.
 *
 * @param removed stored id of a passkey that the page has just removed; null for none.
 * @throws WebAuthnVerificationError (`relying-party`), AdapterError, CallbackRouteError.
 */
export async function readSignals(
  removed: string | null,
  provider: PasskeyProvider,
  t: SignInTools,
): Promise<PasskeySignals> {
  const signedIn = await findSignedInUser(t);
  if (signedIn === null) return { action: "signals", signals: null };
  const { user } = signedIn;
  const { id: rpId } = await resolveRelyingParty(t, provider, requestFor(t, provider, "webauthn-options", {}));
  const stored = await t.callAdapter("listAuthenticatorsByUserId", user.id);
  const isUsable = await usableBy(t, user.id);
  const accepted = stored.filter(isUsable).flatMap(({ credentialID }) => toBrowserId(credentialID) ?? []);
  const { id: userId, name, displayName } = await entityOf(t, user);
  const unknown = removed === null ? null : await findUnknown(t, provider, { removed, userId: user.id }, isUsable);
  const signals = { rpId, userId, name, displayName, allAcceptedCredentialIds: accepted };
  return {
    action: "signals",
    signals: unknown === null ? signals : { ...signals, unknownCredentialId: unknown },
  };
}

/**
 * Whether a user signs in with a passkey. Where the adapter cannot list accounts, every stored one counts: a passkey that is left out by mistake
 * would be removed from the user's devices.
 */
async function usableBy(t: SignInTools, userId: string): Promise<(passkey: AdapterAuthenticator) => boolean> {
  const accounts = t.adapterHas("listAccountsByUserId") ? await t.callAdapter("listAccountsByUserId", userId) : null;
  const hasAccount = (id: string) => accounts === null || accounts.some((one) => one.providerAccountId === id);
  return (passkey) => isSameId(passkey.userId, userId) && hasAccount(passkey.providerAccountId);
}

/**
 * The id of a passkey that no user has, or that this one no longer signs in with: a link cannot name one that is in use. A decoy counts as one
 * that is.
 */
async function findUnknown(
  t: SignInTools,
  provider: PasskeyProvider,
  { removed, userId }: { readonly removed: string; readonly userId: string },
  isUsable: (passkey: AdapterAuthenticator) => boolean,
): Promise<string | null> {
  const bytes = toIdBytes(removed);
  if (bytes === null) return null;
  const found = await t.callAdapter("getAuthenticator", removed);
  const isInUse = found !== null && (!isSameId(found.userId, userId) || isUsable(found));
  return isInUse || (await isDecoy(decoyMac(t, provider), bytes)) ? null : encodeBase64url(bytes);
}

function toIdBytes(stored: string): Uint8Array | null {
  const bytes = decodeBase64(stored);
  return bytes === null || bytes.length === 0 || bytes.length > MAX_ID_BYTES ? null : bytes;
}

function toBrowserId(stored: string): string | null {
  const bytes = toIdBytes(stored);
  return bytes && encodeBase64url(bytes);
}

/** WebAuthn L3 §4, credential ID. */
const MAX_ID_BYTES = 1023;
