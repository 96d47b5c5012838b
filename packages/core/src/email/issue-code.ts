import { encodeBase64url, hmac } from "../crypto/primitives.ts";
import { toError } from "../model/auth-error.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { Seconds } from "../model/units.ts";
import { codeInput, toCode } from "../protocol/email-code.ts";
import { writeContext } from "../protocol/sign-in-context.ts";
import { areCodesOff } from "./code-tries.ts";
import { type CodeEntry, flowOf } from "./requesting-browser.ts";
import { hashForStorage } from "./stored-token.ts";

/** Reading and typing a code takes minutes; a longer lifetime only helps guessing (ASVS 6.5.5). */
const LIFETIME: Seconds = 10 * 60;

/** A code with the values that it is checked against. */
export interface IssuedCode {
  /** The code, for the e-mail. */
  readonly code: string;
  /** Stored in the mark of the browser. */
  readonly entry: CodeEntry;
  /** Public id of the sign-in. */
  readonly flow: string;
}

/** The sign-in that a code is for. */
export interface CodeRequest {
  readonly token: string;
  readonly address: string;
  readonly spelling: string;
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
  readonly own: SignInContext | undefined;
}

/**
 * Creates the code that accompanies a link. It is bound to the requesting browser, the address, and the link's token.
 */
export async function issueCode(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { token, address, spelling, callbackUrl, own }: CodeRequest,
): Promise<IssuedCode> {
  const flow = await flowOf(context, provider, token);
  const code = newCode();
  context.redact(code);
  const [mac = ""] = await macsOf(context, code, { flow, address });
  const row = await hashForStorage(context, provider, { token, own });
  const until = context.now() + Math.min(LIFETIME, provider.maxAge);
  return { code, flow, entry: { address, spelling, mac, row, until, callbackUrl, own: writeContext(own) } };
}

/** MACs under each secret, the current one first. */
export function macsOf(
  { config }: FlowContext,
  code: string,
  about: { readonly flow: string; readonly address: string },
): Promise<string[]> {
  const input = codeInput(code, about);
  return Promise.all(
    config.secrets.map(async (secret) => encodeBase64url((await hmac(secret, input)).subarray(0, 32))),
  );
}

/**
 * Whether the e-mail to an address may contain a code. Without the store, codes cannot be checked, but the link works.
 */
export async function mayHaveCode(context: FlowContext, address: string): Promise<boolean> {
  try {
    return !(await areCodesOff(context, address));
  } catch (error) {
    context.logger.warn(
      `email-code: the store is unavailable, so an e-mail was sent without a code: ${toError(error).message}`,
    );
    return false;
  }
}

function newCode(): string {
  for (;;) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const code = toCode(random);
    if (code !== null) return code;
  }
}
