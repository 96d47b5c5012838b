import type { CDPSession, Page } from "playwright-core";
import { expect } from "vitest";

/** A passkey, as the device has it. */
type Credential = Awaited<ReturnType<typeof listCredentials>>[number];

/** A device that keeps passkeys: Chromium's own virtual authenticator, at one page. */
export interface Device {
  /** Whether a user touches it at once when it asks, or no one does, ever. */
  touch(isTouched: boolean): Promise<void>;
  /** Whether it answers as if no one was there: without user presence and verification. */
  leaveAlone(isAlone: boolean): Promise<void>;
  /** Whether it knows the finger or the face. */
  recognise(isKnown: boolean): Promise<void>;
  credentials(): Promise<readonly Credential[]>;
  /** Puts a passkey into it that another page's device has: of one machine both are the same. */
  add(credential: Credential): Promise<void>;
  /** Puts a passkey in the place of the one with the same id. */
  put(credential: Credential): Promise<void>;
  /** Changes the backup flags of a passkey for the answers that follow. */
  backUp(
    credentialId: string,
    flags: { readonly backupEligibility?: boolean; readonly backupState?: boolean },
  ): Promise<void>;
}

/** What differs between devices. */
export interface DeviceOptions {
  /** `internal` is the machine itself, of which there is one; `usb` a security key. */
  readonly transport?: "internal" | "usb";
  /** Whether its passkeys may be backed up; not yet. */
  readonly isSynced?: boolean;
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Gives a page a device that no one touches yet, so that it does not answer what the page asks by itself. */
export async function plugIn(
  page: Page,
  { transport = "internal", isSynced = false }: DeviceOptions = {},
): Promise<Device> {
  const opened = sessions.get(page) ?? openSession(page);
  sessions.set(page, opened);
  const cdp = await opened;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
      defaultBackupEligibility: isSynced,
      defaultBackupState: false,
    },
  });
  return {
    touch: async (enabled) =>
      void (await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })),
    leaveAlone: async (isAlone) =>
      void (await cdp.send("WebAuthn.setResponseOverrideBits", {
        authenticatorId,
        isBadUP: isAlone,
        isBadUV: isAlone,
      })),
    recognise: async (isUserVerified) =>
      void (await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })),
    credentials: () => listCredentials(cdp, authenticatorId),
    add: async (credential) => void (await cdp.send("WebAuthn.addCredential", { authenticatorId, credential })),
    put: async (credential) => {
      await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
      await cdp.send("WebAuthn.addCredential", { authenticatorId, credential });
    },
    backUp: async (credentialId, flags) =>
      void (await cdp.send("WebAuthn.setCredentialProperties", { authenticatorId, credentialId, ...flags })),
  };
}

/** Waits until the page has offered passkeys in its fields, which a device that is touched from then on does not answer. */
export async function untilOffered(page: Page): Promise<void> {
  // Asked by the debugger: what waits in the page is held against the page's own policy.
  await expect.poll(() => page.evaluate("window.hasOffered")).toBe(true);
}

async function openSession(page: Page): Promise<CDPSession> {
  await page.addInitScript(`{
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (request) => {
      if (request.mediation === "conditional") window.hasOffered = true;
      return get(request);
    };
  }`);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  return cdp;
}

async function listCredentials(cdp: CDPSession, authenticatorId: string) {
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
  return credentials;
}
