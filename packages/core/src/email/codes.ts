import { guardStore } from "../application/guard-store.ts";
import { originalRequest } from "../context/request-facts.ts";
import { encodeBase64url, hmac } from "../crypto/primitives.ts";
import type { VerificationToken } from "../model/adapter.ts";
import type { Undo } from "../model/changes.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import type { EmailCodeTools } from "../model/email-codes.ts";
import { InvalidConfiguration, Verification } from "../model/errors.ts";
import type { EmailIdentity } from "../model/identity.ts";
import type { AuthResult } from "../model/result.ts";
import type { Finished } from "../model/sign-in-method.ts";
import { parseContext, writeContext } from "../protocol/sign-in-context.ts";
import { requireAccounts } from "../session/accounts.ts";
import { prove, report, requireAttempt } from "../sign-in/allow-attempt.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { identify, restoringOf } from "./consume-link.ts";
import { type CodeEntry, type CodeProvider, findCodeEntry, flowOf, verifyRequestUrl } from "./requesting-browser.ts";
import { hashForStorage, type LinkToken } from "./stored-token.ts";
import type { CodeForm } from "./verify-request-page.ts";

/** The codes that a provider object brings: which browser may use one, and the token that it shares with the link. */

/** The sign-in that an e-mail is for. */
export interface RequestedSignIn extends LinkToken {
  readonly identifier: string;
  /** The address as it was submitted: users may be stored under that spelling. */
  readonly spelling: string;
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
}

/**
 * Creates the code that accompanies a link. It is bound to the requesting browser, the address, and the link's token.
 *
 * @returns the code for the e-mail, undefined if it may not contain one, the entry for the mark of the browser, and the public id of the
 * sign-in.
 */
export async function issueCode(
  context: FlowContext,
  provider: CodeProvider,
  { token, identifier: address, spelling, callbackUrl, own }: RequestedSignIn,
): Promise<{ readonly code: string | undefined; readonly entry: CodeEntry; readonly flow: string }> {
  const flow = await flowOf(context, provider, token);
  const codes = await provider.code.load();
  const { code, proof: mac } = await codes.issue({ flow, address }, toolsOf(context, provider));
  if (code !== undefined) context.redact(code);
  const row = await hashForStorage(context, provider, { token, own });
  const until = context.now() + Math.min(provider.code.maxAge, provider.maxAge);
  return { code, flow, entry: { address, spelling, mac, row, until, callbackUrl, own: writeContext(own) } };
}

/**
 * Completes a sign-in with the code of an e-mail, entered in the browser that requested it (docs/email.md#codes).
 *
 * 1. This browser started the sign-in, and the code has not expired.
 * 2. `callbacks.allowAttempt` and the extensions allow the attempt.
 * 3. The code is correct. A wrong code leads back to the page, with the same response for every reason.
 * 4. The token of the link is consumed, so that link and code can be used only once in total.
 *
 * @throws Verification (1, 4), AccessDenied (2), CallbackRouteError, AdapterError, and errors of the store.
 */
export async function finishCode(
  context: ActionContext,
  provider: CodeProvider,
  flow: string,
  undo: Undo[],
): Promise<Finished<EmailIdentity>> {
  const entry = await findValidEntry(context, provider, flow);
  if (entry === null) throw new Verification("The code has expired, or was requested in another browser.");
  const codes = await provider.code.load();
  const code = codes.parse(context.request.body.get("code"));
  if (code === null) return { result: askAgain(context, provider, flow) };
  context.redact(code);
  const { address, mac: proof } = entry;
  const request = originalRequest(context.request);
  const asked = { provider: provider.id, type: "email", identifier: address, request } as const;
  const attempt = await requireAttempt(context, asked, "email-code");
  if (!(await codes.verify(code, { flow, address, proof }, toolsOf(context, provider)))) {
    await report(context, attempt, "failure");
    return { result: askAgain(context, provider, flow) };
  }
  const record = await prove(context, attempt, () => consumeRow(context, entry));
  undo.push(restoringOf(context, record));
  const identity = await identify(context, provider, record, entry.spelling);
  return {
    identity: { ...identity, context: parseContext(entry.own), startedFor: entry.startedFor },
    callbackUrl: entry.callbackUrl,
    attempt,
  };
}

/** Redirects back to the page with the code field, with the same message for every wrong code. */
export function askAgain(context: ActionContext, provider: CodeProvider, flow: string): AuthResult {
  return { kind: "redirect", url: verifyRequestUrl(context, provider, { flow, error: "CredentialsSignin" }) };
}

/** The form for the code of the sign-in in the query; undefined unless this browser started it and the code may still be valid. */
export async function codeForm(context: ActionContext, provider: CodeProvider): Promise<CodeForm | undefined> {
  const { query, baseUrl } = context;
  const flow = query.get("flow") ?? "";
  const entry = await findValidEntry(context, provider, flow);
  if (entry === null) return undefined;
  const { form } = await provider.code.load();
  const isWrong = query.get("error") === "CredentialsSignin";
  return {
    action: `${baseUrl}/callback/${provider.id}`,
    hidden: { csrfToken: await csrfTokenForForm(context), callbackUrl: entry.callbackUrl, flow },
    render: (own = {}) => form(own, isWrong),
  };
}

async function findValidEntry(context: FlowContext, provider: CodeProvider, flow: string) {
  const entry = await findCodeEntry(context, provider, flow);
  return entry !== null && entry.until > context.now() ? entry : null;
}

async function consumeRow({ config }: ActionContext, { address, row }: CodeEntry): Promise<VerificationToken> {
  const record = await requireAccounts(config).records.consume({ identifier: address, token: row });
  if (record !== null) return record;
  throw new Verification("The code or its link was already used.");
}

const MAC_USES = { code: "e-mail code", tries: "e-mail code tries" } as const;

function toolsOf({ config, logger }: FlowContext, { id }: CodeProvider): EmailCodeTools {
  return {
    provider: id,
    get store() {
      if (config.store !== undefined) return guardStore(config.store);
      throw new InvalidConfiguration(
        "`store` is missing: it is required to count attempts at e-mail codes (docs/email.md#codes).",
      );
    },
    logger,
    macs: (use, ...texts) => {
      const input = JSON.stringify([MAC_USES[use], ...texts]);
      return Promise.all(
        config.secrets.map(async (secret) => encodeBase64url((await hmac(secret, input)).subarray(0, 32))),
      );
    },
  };
}
