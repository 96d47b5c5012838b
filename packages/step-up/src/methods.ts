import type { AdapterResult, RequestTools } from "@cardea/extend";
import type { ResolvedLevel } from "./levels.ts";

/** A method that is available to this user. */
export interface Method {
  /** `sign-in`: sign in again. */
  readonly kind: "oidc" | "passkey" | "password" | "totp" | "sign-in";
  /** URL to post to; for `sign-in`, URL to visit. */
  readonly url: string;
}

/** The user whose methods are listed. */
export interface Prover {
  readonly userId: string;
  /** Whether the session came from a provider that issues ID tokens. */
  readonly hasProvider: boolean;
  readonly callbackUrl: string;
}

/**
 * Lists the user's methods that a level accepts. Shown only to the signed-in user.
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
