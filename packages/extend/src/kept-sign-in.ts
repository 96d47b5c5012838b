import {
  addressProviders,
  decryptText,
  deriveDirectKey,
  encryptText,
  type FlowContext,
  type Identity,
  isSealedWith,
  joinDestination,
  methodOf,
  type ResolvedConfig,
  storedDestination,
} from "@cardea/core/extension-host";
import {
  type Account,
  type Attempt,
  CallbackRouteError,
  type Candidate,
  type EpochSeconds,
} from "@cardea/core/extension-kit";
import { readValues, writeValues } from "./exact-values.ts";

/** A pending sign-in in the store. Encrypted, because it contains the provider's tokens. */
export interface KeptSignIn {
  /** The extension that interrupted the sign-in. */
  readonly extension: string;
  readonly identity: Identity;
  readonly candidate: Candidate;
  readonly adds: boolean;
  /** The attempt of the first step, whose result is reported at the end. */
  readonly attempt: Attempt | undefined;
  readonly expires: EpochSeconds;
  /** The user's epoch when the sign-in started; 0 in entries of earlier versions. */
  readonly epoch: number;
}

/** How it is written. */
interface WrittenSignIn extends Omit<KeptSignIn, "epoch"> {
  readonly epoch?: number;
  readonly key: string;
  readonly part?: StoredPart | undefined;
}

/** MySQL TEXT columns hold 65,535 bytes. */
const MAX_LENGTH = 65_000;

/**
 * Encrypts a sign-in for the store, bound to the id of its entry. Submitted values that may be secret are omitted.
 *
 * @throws CallbackRouteError if it is too large or cannot be serialized.
 */
export async function encryptKept({ config, origin }: FlowContext, kept: KeptSignIn, key: string): Promise<string> {
  const { identity, attempt } = kept;
  const candidate = { ...kept.candidate, callbackUrl: storedDestination(kept.candidate.callbackUrl, origin) };
  const { account, stored } = identity;
  const { provider } = account;
  const part = stored && storedPart(account, stored);
  const withoutSecrets = attempt && { ...attempt, credentials: withoutSecret(config, provider, attempt.credentials) };
  try {
    const text = writeValues({
      ...kept,
      identity: plainIdentity(identity),
      candidate,
      attempt: withoutSecrets,
      key,
      part,
    });
    const sealed = await encryptText(text, await keyOf(config.secrets[0] ?? ""));
    if (sealed.length <= MAX_LENGTH) return sealed;
    throw new RangeError(`it has ${sealed.length} characters; the limit is ${MAX_LENGTH}`);
  } catch (error) {
    const message = `The sign-in with provider "${provider}" cannot be stored while another proof is pending. Return less data from profile(), account() or authorize().`;
    throw new CallbackRouteError(message, {
      cause: { err: error instanceof Error ? error : new Error(String(error)), provider },
    });
  }
}

/** Decrypts a value created by {@link encryptKept} for this entry; null for anything else, or if it has expired. */
export async function decryptKept(context: FlowContext, sealed: string, key: string): Promise<KeptSignIn | null> {
  for (const secret of context.config.secrets) {
    const derived = await keyOf(secret);
    if (!isSealedWith(sealed, derived)) continue;
    const text = await decryptText(sealed, derived);
    // Written by `encryptKept`, as the encryption proves.
    const kept = text === null ? null : (readValues(text) as WrittenSignIn);
    if (kept === null || kept.key !== key || kept.expires <= context.now()) return null;
    const { candidate, identity, part, epoch = 0 } = kept;
    return {
      ...kept,
      epoch,
      identity: part === undefined ? identity : { ...identity, stored: joinStored(identity.account, part) },
      candidate: { ...candidate, callbackUrl: joinDestination(candidate.callbackUrl, context.origin) },
    };
  }
  return null;
}

/**
 * Restores the identity: its provider must be configured, its passkey still registered. Null if it no longer exists.
 *
 * @throws AdapterError.
 */
export async function reviveIdentity(
  context: FlowContext,
  { identity, candidate }: KeptSignIn,
): Promise<Identity | null> {
  const { provider: id } = identity.account;
  if (identity.kind === "email") {
    const prover = addressProviders(context.config).find((one) => one.id === id);
    return prover === undefined ? null : { ...identity, provider: prover };
  }
  const provider = context.config.providers.get(id);
  if (provider === undefined || provider.kind !== identity.kind) return null;
  const { revive } = candidate.isNewUser ? {} : await methodOf(context.config, provider).load();
  return revive === undefined ? identity : revive(context, provider, identity);
}

/**
 * Omits the provider, which is configuration, and submitted credentials, which are secret; `callbacks.signIn` has
 * already received them.
 */
function plainIdentity(identity: Identity): object {
  if (identity.kind === "email") return { ...identity, provider: undefined, created: undefined };
  return identity.kind === "credentials" ? { ...identity, credentials: {} } : { ...identity, stored: undefined };
}

const SECRET_NAME = /pass|pwd|secret|token|code|pin|otp|answer/i;

function withoutSecret(
  config: ResolvedConfig,
  providerId: string,
  typed: Attempt["credentials"],
): Attempt["credentials"] {
  const provider = config.providers.get(providerId);
  const declared = provider?.kind === "credentials" ? provider.credentials : {};
  const isSecret = (name: string) => SECRET_NAME.test(name) || declared[name]?.type === "password";
  return typed && Object.fromEntries(Object.entries(typed).filter(([name]) => !isSecret(name)));
}

function keyOf(secret: string) {
  return deriveDirectKey(secret, "pending-admission", "store");
}

/** What is stored of an account, described by its difference: tokens are long, and the entry of a pending sign-in is limited. */
interface StoredPart {
  /** Members of the account that are not stored. */
  readonly without: readonly string[];
  /** Members that are stored and that the account lacks, or has with another value. */
  readonly changed: Readonly<Record<string, unknown>>;
}

/** Describes `stored` for {@link joinStored}. */
export function storedPart(account: Account, stored: Account): StoredPart {
  return {
    without: Object.keys(account).filter((name) => !Object.hasOwn(stored, name)),
    changed: Object.fromEntries(Object.entries(stored).filter(([name, value]) => account[name] !== value)),
  };
}

/** Restores `stored`. */
export function joinStored(account: Account, { without, changed }: StoredPart): Account {
  const { provider, providerAccountId, type } = account;
  const kept = Object.entries(account).filter(([name]) => !without.includes(name));
  return { ...Object.fromEntries(kept), ...changed, provider, providerAccountId, type };
}
