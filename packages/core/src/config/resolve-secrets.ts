import { randomHex } from "../crypto/random-hex.ts";
import type { AuthConfig } from "../model/config.ts";
import { MissingSecretError } from "../model/errors.ts";
import type { Problem } from "../model/sign-in-method.ts";
import type { EnvironmentFacts } from "./env.ts";

/** A secret shorter than the derived key is easier to guess than the key. */
const MIN_SECRET_BYTES = 32;

const MISSING_SECRET =
  "is missing: set AUTH_SECRET, or `secret`, to a random value of at least 32 bytes, for example from `openssl rand -base64 32`";

/**
 * The secrets of the configuration, else those of the environment, else, outside production, a random one of the application.
 */
export function resolveSecrets(
  given: AuthConfig,
  facts: EnvironmentFacts,
  application: object,
): { readonly secrets: readonly string[]; readonly warnings: readonly string[] } {
  const secrets = configuredSecrets(given, facts);
  if (secrets.length === 0) {
    const warning =
      "missing-secret: AUTH_SECRET is not set. A random secret is used, and all sessions end when this process exits.";
    return { secrets: [randomSecretOf(application)], warnings: [warning] };
  }
  const short = secrets.some((secret) => new TextEncoder().encode(secret).byteLength < MIN_SECRET_BYTES);
  return { secrets, warnings: short ? ["short-secret: a secret is shorter than 32 bytes and may be guessable."] : [] };
}

/** Random secrets of applications without one: the same for every configuration of one. */
const randomSecrets = new WeakMap<object, string>();

function randomSecretOf(application: object): string {
  const secret = randomSecrets.get(application) ?? randomHex();
  randomSecrets.set(application, secret);
  return secret;
}

/** In production a secret is required. */
export function findSecretProblems(given: AuthConfig, facts: EnvironmentFacts): Problem[] {
  if (!facts.isProduction || configuredSecrets(given, facts).length > 0) return [];
  return [{ option: "secret", message: MISSING_SECRET, error: (message) => new MissingSecretError(message) }];
}

/** The non-blank secrets of a list; a single secret is a list of one. What is no text is refused elsewhere. */
export function listSecrets(secret: AuthConfig["secret"]): string[] {
  return [secret]
    .flat()
    .filter((candidate): candidate is string => typeof candidate === "string" && candidate.trim() !== "");
}

function configuredSecrets(given: AuthConfig, facts: EnvironmentFacts): readonly string[] {
  const own = listSecrets(given.secret);
  return own.length > 0 ? own : facts.secrets;
}
