import { isSealedWith, openText, sealText } from "../crypto/direct-jwe.ts";
import { deriveDirectKey } from "../crypto/keys.ts";
import { reviveOwnWay } from "../flows/own-way.ts";
import type { Attempt } from "../model/attempt.ts";
import type { Candidate } from "../model/candidate.ts";
import type { CookieJar, FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { EpochSeconds } from "../model/units.ts";
import { addressProviders } from "../session/unproven-address.ts";
import type { Identity } from "../users/identity.ts";
import { readValues, writeValues } from "./exact-values.ts";

/** A sign-in that waits, as the store has it: sealed, because the tokens of the provider are in it. */
export interface KeptSignIn {
  /** The extension that asked. */
  readonly extension: string;
  readonly identity: Identity;
  readonly candidate: Candidate;
  readonly adds: boolean;
  /** The attempt of the first step, whose outcome is known at the end. */
  readonly attempt: Attempt | undefined;
  readonly expires: EpochSeconds;
  /** The mark of the user when it began, see `void-pending.ts`. */
  readonly mark: string | null;
}

/** What a sign-in that goes on has from its beginning, in the request that completes it: another extension may ask again. */
export const goingOn: WeakMap<CookieJar, Pick<KeptSignIn, "attempt" | "mark">> = new WeakMap();

/** Text columns of MySQL hold 65,535 bytes. */
const MAX_LENGTH = 65_000;

/**
 * Seals a sign-in for the store, under the id of its entry. What was typed is left out where it may be a secret.
 *
 * @throws CallbackRouteError when it is too large, or cannot be written.
 */
export async function sealKept({ config }: FlowContext, kept: KeptSignIn, key: string): Promise<string> {
  const { identity, attempt } = kept;
  const { provider } = identity.account;
  const withoutSecrets = attempt && { ...attempt, credentials: withoutSecret(config, provider, attempt.credentials) };
  try {
    const text = writeValues({ ...kept, identity: plainIdentity(identity), attempt: withoutSecrets, key });
    const sealed = await sealText(text, await keyOf(config.secrets[0] ?? ""));
    if (sealed.length <= MAX_LENGTH) return sealed;
    throw new RangeError(`it has ${sealed.length} characters, and at most ${MAX_LENGTH} are kept`);
  } catch (error) {
    const message = `The sign-in with provider "${provider}" cannot be kept while a further proof is asked for. Return less from profile(), account() or authorize().`;
    throw new CallbackRouteError(message, {
      cause: { err: error instanceof Error ? error : new Error(String(error)), provider },
    });
  }
}

/** Opens what {@link sealKept} made for this entry; null for anything else, or after its time. */
export async function openKept({ config, now }: FlowContext, sealed: string, key: string): Promise<KeptSignIn | null> {
  for (const secret of config.secrets) {
    const derived = await keyOf(secret);
    if (!isSealedWith(sealed, derived)) continue;
    const text = await openText(sealed, derived);
    // It was written by `sealKept`, which the seal proves.
    const kept = text === null ? null : (readValues(text) as KeptSignIn & { readonly key: string });
    return kept !== null && kept.key === key && kept.expires > now() ? kept : null;
  }
  return null;
}

/**
 * The identity as it is now: a provider that is configured, a passkey that is still registered. Null when it is gone.
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
  if (context.config.providers.get(id)?.kind !== identity.kind) return null;
  return identity.kind !== "webauthn" || candidate.isNewUser ? identity : reviveOwnWay(context, identity);
}

/** Providers are configuration, and what was typed is a secret: `callbacks.signIn` has had it. */
function plainIdentity(identity: Identity): object {
  if (identity.kind === "email") return { ...identity, provider: undefined, created: undefined };
  return identity.kind === "credentials" ? { ...identity, credentials: {} } : identity;
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
