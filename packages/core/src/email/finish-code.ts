import { originalRequest } from "../context/request-facts.ts";
import type { VerificationToken } from "../model/adapter.ts";
import type { Undo } from "../model/changes.ts";
import type { ActionContext } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import type { EmailIdentity } from "../model/identity.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { AuthResult } from "../model/result.ts";
import type { Finished } from "../model/sign-in-method.ts";
import { isCode, parseCode } from "../protocol/email-code.ts";
import { parseContext } from "../protocol/sign-in-context.ts";
import { requireAccounts } from "../session/accounts.ts";
import { prove, report, requireAttempt } from "../sign-in/allow-attempt.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { MAX_TRIES_OF_CODE, takeTry } from "./code-tries.ts";
import { identify, restoringOf } from "./consume-link.ts";
import { macsOf } from "./issue-code.ts";
import { type CodeEntry, findCodeEntry, verifyRequestUrl } from "./requesting-browser.ts";
import type { CodeForm } from "./verify-request-page.ts";

/**
 * Completes a sign-in with the code of an e-mail, entered in the browser that requested it (docs/email.md#codes).
 *
 * 1. This browser started the sign-in, and the code has not expired.
 * 2. `callbacks.allowAttempt` and the extensions allow the attempt.
 * 3. An attempt is left for the code and for the address. It is counted before the code is compared.
 * 4. The code is correct. A wrong code leads back to the page, with the same response for every reason.
 * 5. The token of the link is consumed, so that link and code can be used only once in total.
 *
 * @throws Verification (1, 5), AccessDenied (2), CallbackRouteError, AdapterError, and errors of the store.
 */
export async function finishCode(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  flow: string,
  undo: Undo[],
): Promise<Finished<EmailIdentity>> {
  const entry = await findCodeEntry(context, provider, flow);
  if (entry === null || entry.until <= context.now()) {
    throw new Verification("The code has expired, or was requested in another browser.");
  }
  const code = parseCode(context.request.body.get("code"));
  if (code === null) return { kind: "answer", result: askAgain(context, provider, flow) };
  context.redact(code);
  const request = originalRequest(context.request);
  const asked = { provider: provider.id, type: "email", identifier: entry.address, request } as const;
  const attempt = await requireAttempt(context, asked, "email-code");
  if (!(await isRight(context, provider, { flow, entry, code }))) {
    await report(context, attempt, "failure");
    return { kind: "answer", result: askAgain(context, provider, flow) };
  }
  const record = await prove(context, attempt, () => consumeRow(context, entry));
  undo.push(restoringOf(context, record));
  const identity = await identify(context, provider, record, entry.spelling);
  return {
    kind: "proven",
    identity: { ...identity, context: parseContext(entry.own), startedFor: entry.startedFor },
    callbackUrl: entry.callbackUrl,
    attempt,
  };
}

/** Redirects back to the page with the code field, with the same message for every wrong code. */
export function askAgain(context: ActionContext, provider: ResolvedEmailProvider, flow: string): AuthResult {
  return { kind: "redirect", url: verifyRequestUrl(context, provider, { flow, error: "CredentialsSignin" }) };
}

/** The form for the code of the sign-in in the query. */
export async function codeForm(context: ActionContext, provider: ResolvedEmailProvider): Promise<CodeForm | undefined> {
  const { query, baseUrl } = context;
  const flow = query.get("flow") ?? "";
  const entry = await findCodeEntry(context, provider, flow);
  if (entry === null || entry.until <= context.now()) return undefined;
  const csrfToken = await csrfTokenForForm(context);
  const failed = query.get("error") === "CredentialsSignin";
  return { action: `${baseUrl}/callback/${provider.id}`, csrfToken, callbackUrl: entry.callbackUrl, flow, failed };
}

interface TypedCode {
  readonly flow: string;
  readonly entry: CodeEntry;
  readonly code: string;
}

async function isRight(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  { flow, entry, code }: TypedCode,
): Promise<boolean> {
  const { address } = entry;
  const macs = await macsOf(context, code, { flow, address });
  const allowed = await takeTry(context, { flow, address });
  if (allowed === null) return false;
  if (isCode(entry.mac, macs)) {
    await allowed.succeeded();
    return true;
  }
  if (allowed.number === MAX_TRIES_OF_CODE) {
    const what = `email-code: provider "${provider.id}" invalidated the code for an address`;
    context.logger.warn(`${what} after ${MAX_TRIES_OF_CODE} wrong attempts. The link in the e-mail stays valid.`);
  }
  return false;
}

async function consumeRow({ config }: ActionContext, { address, row }: CodeEntry): Promise<VerificationToken> {
  const record = await requireAccounts(config).records.consume({ identifier: address, token: row });
  if (record !== null) return record;
  throw new Verification("The code or its link was already used.");
}
