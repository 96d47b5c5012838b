import type { EpochSeconds, Seconds, Tools } from "@cardea/core/extend";
import { appsOf, listRows, type Row } from "./credentials.ts";

/** RFC 6238 §4.1: the default time step, which is all that authenticator apps agree on. */
const PERIOD: Seconds = 30;

/** RFC 4226 §4 R6 recommends 160 bits. */
const SECRET_BYTES = 20;

/** The step now, and the one before it: a code that was typed at the end of its step is still good (RFC 6238 §5.2). */
const STEPS_BACK = 1;

/** How long an authenticator app may take to be set up. */
const SETUP_LIFETIME: Seconds = 600;

/** A sealed secret has no end of its own. */
const SECRET_LIFETIME: Seconds = 100 * 366 * 24 * 60 * 60;

const SECRET = "totp secret";
const SETUP = "totp setup";

/** A new authenticator app that has proven nothing. */
export interface Setup {
  /** The secret, sealed for its user: the form sends it back. */
  readonly sealed: string;
  /** In base32, to be typed. */
  readonly secret: string;
  /** The `otpauth:` URI that a QR code shows. */
  readonly uri: string;
}

/** Makes a secret for a user. Nothing is stored before a code of it was right. */
export async function beginTotp(t: Tools, userId: string, issuer: string, account: string): Promise<Setup> {
  const { Secret, TOTP } = await import("otpauth");
  const secret = new Secret({ size: SECRET_BYTES });
  const app = new TOTP({ issuer, label: account, secret, period: PERIOD, digits: 6, algorithm: "SHA1" });
  const sealed = await t.seal({ secret: secret.base32, user: userId }, SETUP, SETUP_LIFETIME);
  return { sealed, secret: secret.base32, uri: app.toString() };
}

/** The setup that a form sent back, to be shown again; null when it is too old, or another user's. */
export async function reopenTotp(t: Tools, userId: string, sealed: unknown, issuer: string, account: string) {
  const secret = await openSetup(t, userId, sealed);
  if (secret === null) return null;
  const { Secret, TOTP } = await import("otpauth");
  const app = new TOTP({ issuer, label: account, secret: Secret.fromBase32(secret), period: PERIOD, digits: 6 });
  return { sealed: String(sealed), secret, uri: app.toString() } satisfies Setup;
}

/**
 * Adds an authenticator app after one right code, which is used up by it.
 *
 * @returns false when the code is wrong, or the setup too old or used.
 * @throws AdapterError.
 */
export async function confirmTotp(
  t: Tools,
  userId: string,
  { setup, code, label }: { readonly setup: unknown; readonly code: unknown; readonly label: string | null },
): Promise<boolean> {
  const secret = await openSetup(t, userId, setup);
  const step = secret === null ? null : await matchStep(secret, code, t.now());
  if (secret === null || step === null || !(await takeSetup(t, userId, secret))) return false;
  const createdAt = new Date(t.now() * 1000);
  const sealed = await sealSecret(t, secret, userId);
  await t.callAdapter("createCredential", {
    userId,
    type: "totp",
    secret: sealed,
    label,
    createdAt,
    usedAt: createdAt,
    state: { step },
  });
  return true;
}

/** A setup adds one app, however often its form is sent: with two rows of one secret each code would count twice. */
async function takeSetup(t: Tools, userId: string, secret: string): Promise<boolean> {
  const key = await t.permanentKey("setup", userId, secret);
  return (await t.store?.set(key, "1", { ttl: SETUP_LIFETIME, ifAbsent: true })) === true;
}

/**
 * Checks a code of any of the user's authenticator apps. A step counts once, for all processes: the row is changed by compare and set
 * (RFC 6238 §5.2). With it the secret is sealed again, so that an old application secret can be retired.
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
  // A row that does not say which step was used last accepts none.
  return typeof step === "number" ? step : Number.POSITIVE_INFINITY;
}

/** The time step whose code this is; null for none. */
async function matchStep(secret: string, code: unknown, now: EpochSeconds): Promise<number | null> {
  const digits = typeof code === "string" ? code.replace(/[\s-]/g, "") : "";
  if (!/^\d{6}$/.test(digits)) return null;
  const { HOTP, Secret } = await import("otpauth");
  const key = Secret.fromBase32(secret);
  const current = Math.floor(now / PERIOD);
  let matched: number | null = null;
  for (let counter = current - STEPS_BACK; counter <= current; counter++) {
    const right = HOTP.generate({ secret: key, counter, digits: 6, algorithm: "SHA1" });
    if (isEqual(right, digits)) matched = counter;
  }
  return matched;
}

/** Takes the same time wherever two codes differ. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let n = 0; n < one.length; n++) difference |= one.charCodeAt(n) ^ other.charCodeAt(n);
  return difference === 0;
}

/** With its user: anyone who can write to the table cannot give one user's secret to another. */
function sealSecret(t: Tools, secret: string, userId: string): Promise<string> {
  return t.seal({ secret, user: userId }, SECRET, SECRET_LIFETIME);
}

async function openSecret(t: Tools, { id, userId, secret: sealed }: Row): Promise<string | null> {
  const { secret, user } = (await t.open(sealed, SECRET)) ?? {};
  if (secret !== undefined && user === userId) return secret;
  t.logger.warn(
    `second-factor-secret: the authenticator app ${id} was sealed with a secret that is not listed any more, or for another user. List the former AUTH_SECRET again, or reset the factors of its user.`,
  );
  return null;
}

async function openSetup(t: Tools, userId: string, sealed: unknown): Promise<string | null> {
  const { secret, user } = (typeof sealed === "string" ? await t.open(sealed, SETUP) : null) ?? {};
  return secret !== undefined && user === userId ? secret : null;
}
