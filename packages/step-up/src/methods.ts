import type { AdapterResult, RequestTools } from "@cardea/core/extend";
import type { ResolvedLevel } from "./levels.ts";

/** A way in which this user can prove themselves now. */
export interface Method {
  /** `sign-in`: by signing in once more. */
  readonly kind: "oidc" | "passkey" | "password" | "totp" | "sign-in";
  /** Where to post to; for `sign-in` where to go. */
  readonly url: string;
}

/** Whose methods are looked for. */
export interface Prover {
  readonly userId: string;
  /** Whether the session came from a provider with ID tokens. */
  readonly hasProvider: boolean;
  readonly callbackUrl: string;
}

/**
 * What a user has that counts for a level. Only they see it: they are signed in.
 *
 * @throws AdapterError, WebAuthnVerificationError.
 */
export async function methodsOf(
  { factors, acr }: ResolvedLevel,
  t: RequestTools,
  { userId, hasProvider, callbackUrl }: Prover,
): Promise<readonly Method[]> {
  const methods: Method[] = [];
  const add = (kind: Method["kind"], path: string) => methods.push({ kind, url: `${t.baseUrl}/${path}` });
  if (hasProvider && factors.includes("oidc")) add("oidc", "step-up/oidc");
  if (acr.length > 0) return methods;
  const credentials = await credentialsOf(t, userId);
  const has = (type: string) => credentials.some((one) => one.type === type);
  if (factors.includes("passkey") && (await t.passkeys?.challenge({ userId }))) add("passkey", "step-up/passkey");
  const ours = t.hasExtension("password");
  if (factors.includes("password") && ours && has("password")) add("password", "password/confirm");
  if (factors.includes("totp") && t.hasExtension("second-factor") && has("totp")) add("totp", "factor/totp");
  if (factors.includes("email") || (factors.includes("password") && !ours)) {
    add("sign-in", `signin?callbackUrl=${encodeURIComponent(callbackUrl)}`);
  }
  return methods;
}

async function credentialsOf(t: RequestTools, userId: string): Promise<AdapterResult<"listCredentialsByUserId">> {
  return t.adapterHas("listCredentialsByUserId") ? t.callAdapter("listCredentialsByUserId", userId) : [];
}
