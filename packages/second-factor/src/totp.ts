import { type EpochSeconds, readTypedCode, type Seconds, type Tools } from "@cardea/extend";
import { appsOf, listRows, type Row } from "./credentials.ts";

/** RFC 6238 §4.1: the default time step, the only one that all authenticator apps support. */
const PERIOD: Seconds = 30;

/** RFC 4226 §4 R6 recommends 160 bits. */
const SECRET_BYTES = 20;

/**
 * The previous step is also accepted, for codes typed at the end of their step, and the next one, for phones whose clock is fast
 * (RFC 6238 §5.2, §6).
 */
const STEPS_AROUND = 1;

/** How long setting up an authenticator app may take. */
const SETUP_LIFETIME: Seconds = 600;

/** Encrypted secrets do not expire; sealing requires a lifetime. */
const SECRET_LIFETIME: Seconds = 100 * 366 * 24 * 60 * 60;

const SECRET = "totp secret";
const SETUP = "totp setup";

/** A new authenticator app that is not confirmed yet. */
export interface Setup {
  /** The secret, encrypted for its user. The form submits it. */
  readonly sealed: string;
  /** The secret in base32, for manual entry. */
  readonly secret: string;
  /** The `otpauth:` URI that a QR code shows. */
  readonly uri: string;
}

/** An app that was added a moment ago. */
export interface AddedApp {
  /** Id of its row. */
  readonly id: string;
  readonly secret: string;
}

/** Creates a secret for a user. Nothing is stored until a code confirms it. */
export async function beginTotp(t: Tools, userId: string, issuer: string, account: string): Promise<Setup> {
  const { Secret, TOTP } = await import("otpauth");
  const secret = new Secret({ size: SECRET_BYTES });
  const app = new TOTP({ issuer, label: account, secret, period: PERIOD, digits: 6, algorithm: "SHA1" });
  const sealed = await t.seal({ secret: secret.base32, user: String(userId) }, SETUP, SETUP_LIFETIME);
  return { sealed, secret: secret.base32, uri: app.toString() };
}

/** Restores a submitted setup, to show it again; null if it has expired or belongs to another user. */
export async function reopenTotp(t: Tools, userId: string, sealed: unknown, issuer: string, account: string) {
  const secret = await openSetup(t, userId, sealed);
  if (secret === null) return null;
  const { Secret, TOTP } = await import("otpauth");
  const app = new TOTP({ issuer, label: account, secret: Secret.fromBase32(secret), period: PERIOD, digits: 6 });
  return { sealed: String(sealed), secret, uri: app.toString() } satisfies Setup;
}

/**
 * Adds an authenticator app after one correct code, which is consumed.
 *
 * @returns The added app; null if the code is wrong, or the setup has expired or was used.
 * @throws AdapterError.
 */
export async function confirmTotp(
  t: Tools,
  userId: string,
  { setup, code, label }: { readonly setup: unknown; readonly code: unknown; readonly label: string | null },
): Promise<AddedApp | null> {
  const secret = await openSetup(t, userId, setup);
  const step = secret === null ? null : await matchStep(secret, code, t.now());
  if (secret === null || step === null || !(await takeSetup(t, userId, secret))) return null;
  try {
    const added = await findAdded(t, userId, secret);
    if (added !== null) return (await checkRow(t, added, code)) ? { id: added.id, secret } : null;
    const createdAt = new Date(t.now() * 1000);
    const sealed = await sealSecret(t, secret, userId);
    const row = { userId, type: "totp", secret: sealed, label, createdAt, usedAt: createdAt, state: { step } };
    const { id } = await t.callAdapter("createCredential", row);
    return { id, secret };
  } catch (error) {
    // The setup can be confirmed again, whether or not the app was added.
    await releaseSetup(t, userId, secret);
    throw error;
  }
}

/** Removes an app that was added a moment ago. Its setup can be confirmed again. */
export async function takeBackTotp(t: Tools, userId: string, { id, secret }: AddedApp): Promise<void> {
  await t.callAdapter("deleteCredential", id);
  await releaseSetup(t, userId, secret);
}

async function releaseSetup(t: Tools, userId: string, secret: string): Promise<void> {
  await t.store?.swap(await setupKey(t, userId, secret), "1", null, { ttl: SETUP_LIFETIME });
}

/**
 * A setup adds one app, even if its form is submitted twice. With two rows for one secret, each code would work twice.
 */
async function takeSetup(t: Tools, userId: string, secret: string): Promise<boolean> {
  const key = await setupKey(t, userId, secret);
  return (await t.store?.set(key, "1", { ttl: SETUP_LIFETIME, ifAbsent: true })) === true;
}

/** The app of an earlier attempt that ended with an error but added it: the database was too slow to tell. */
async function findAdded(t: Tools, userId: string, secret: string): Promise<Row | null> {
  for (const row of appsOf(await listRows(t, userId))) if ((await openSecret(t, row)) === secret) return row;
  return null;
}

function setupKey(t: Tools, userId: string, secret: string): Promise<string> {
  return t.permanentKey("setup", userId, secret);
}

/**
 * Checks a code of any of the user's authenticator apps. Each time step is accepted once across all processes, with
 * compare-and-set on the row (RFC 6238 §5.2). The secret is re-encrypted in the same write, so that an old application
 * secret can be retired.
 *
 * @throws AdapterError.
 */
export async function checkTotp(t: Tools, userId: string, code: unknown): Promise<boolean> {
  const rows = appsOf(await listRows(t, userId));
  for (const row of rows) if (await checkRow(t, row, code)) return true;
  return false;
}

async function checkRow(t: Tools, row: Row, code: unknown): Promise<boolean> {
  const secret = await openSecret(t, row);
  if (secret === null) return false;
  const step = await matchStep(secret, code, t.now());
  if (step === null || step <= lastStepOf(row)) return false;
  const { id, version, userId } = row;
  const change = { id, version, state: { step }, usedAt: new Date(t.now() * 1000) };
  const sealed = await sealSecret(t, secret, userId);
  return (await t.callAdapter("updateCredential", { ...change, secret: sealed })) !== null;
}

function lastStepOf({ state }: Row): number {
  const { step }: { step?: unknown } = Object(state);
  // A row without a last used step accepts no code.
  return typeof step === "number" ? step : Number.POSITIVE_INFINITY;
}

/** The time step that a code belongs to; null if none. */
async function matchStep(secret: string, code: unknown, now: EpochSeconds): Promise<number | null> {
  const digits = readTypedCode(code);
  if (!/^\d{6}$/.test(digits)) return null;
  const { HOTP, Secret } = await import("otpauth");
  const key = Secret.fromBase32(secret);
  const current = Math.floor(now / PERIOD);
  let matched: number | null = null;
  for (let counter = current - STEPS_AROUND; counter <= current + STEPS_AROUND; counter++) {
    const right = HOTP.generate({ secret: key, counter, digits: 6, algorithm: "SHA1" });
    if (isEqual(right, digits)) matched = counter;
  }
  return matched;
}

/** Constant-time comparison. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let n = 0; n < one.length; n++) difference |= one.charCodeAt(n) ^ other.charCodeAt(n);
  return difference === 0;
}

/** Bound to the user, so that write access to the table does not allow copying a secret to another user. */
function sealSecret(t: Tools, secret: string, userId: string): Promise<string> {
  return t.seal({ secret, user: String(userId) }, SECRET, SECRET_LIFETIME);
}

async function openSecret(t: Tools, { id, userId, secret: sealed }: Row): Promise<string | null> {
  const { secret, user } = (await t.open(sealed, SECRET)) ?? {};
  // The database may have numbers as ids of users.
  if (secret !== undefined && user === String(userId)) return secret;
  t.logger.warn(
    `second-factor-secret: the authenticator app ${id} was encrypted with a secret that is no longer configured, or for another user. Add the previous AUTH_SECRET back, or reset the user's factors.`,
  );
  return null;
}

async function openSetup(t: Tools, userId: string, sealed: unknown): Promise<string | null> {
  const { secret, user } = (typeof sealed === "string" ? await t.open(sealed, SETUP) : null) ?? {};
  return secret !== undefined && user === String(userId) ? secret : null;
}
