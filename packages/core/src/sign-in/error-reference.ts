import { setCookie } from "../cookies/own-cookie.ts";
import { encodeBase64url, hmac } from "../crypto/primitives.ts";
import { randomHex } from "../crypto/random-hex.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";

/**
 * The reference of a failure: the error page shows it and the line in the log has it, so that an operator finds the line of what a
 * user reports. It is random, so nothing of it comes from the request. Most failed requests redirect to the page: a cookie carries
 * the reference there, because its URL can be linked to by anyone. The cookie has a MAC, and the page shows nothing else.
 */

const LENGTH = 10;
const SIGNED = /^[a-z0-9]{10}[\w-]{16}$/;
/** In seconds: enough to reload the page and to copy the reference. */
const LIFETIME = 5 * 60;

export const createReference = (): string => randomHex(LENGTH / 2);

/**
 * Adds a reference to the result of a failed request: to the built-in page, or to the cookie for that page.
 *
 * 1. An application's own page cannot read the cookie, so none is set.
 * 2. A GET that neither sets nor clears a cookie sets none here: visitors who have not begun to sign in get no cookie.
 */
export async function showReference(
  result: AuthResult,
  context: ActionContext,
  reference: string | undefined,
): Promise<AuthResult> {
  if (reference === undefined) return result;
  if (result.kind === "page" && result.page.kind === "error") return { ...result, page: { ...result.page, reference } };
  const { config, jar, request } = context;
  const hasBegun = request.method === "POST" || jar.list().length > 0;
  if (result.kind !== "redirect" || config.pages.error !== undefined || !hasBegun) return result;
  const value = await sign(reference, new URL(result.url).searchParams.get("error"), config.secrets[0] ?? "");
  setCookie(context, "error", value, LIFETIME);
  return result;
}

/** The reference of the failure that led this browser to the page of an error; undefined if it cannot be known. */
export async function readReference(context: ActionContext, error: string | null): Promise<string | undefined> {
  const values = valuesOf(context.cookies.error.name, context).filter((value) => SIGNED.test(value));
  for (const value of values) {
    const reference = value.slice(0, LENGTH);
    for (const secret of context.config.secrets)
      if (isEqualInConstantTime(await sign(reference, error, secret), value)) return reference;
  }
  return undefined;
}

/** For one kind of error: a page of another shows no reference of this one. */
async function sign(reference: string, error: string | null, secret: string): Promise<string> {
  const mac = await hmac(secret, JSON.stringify(["error reference", error, reference]));
  return `${reference}${encodeBase64url(mac.subarray(0, 12))}`;
}
