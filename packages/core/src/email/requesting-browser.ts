import { type PendingKind, readPending, storePending } from "../cookies/pending.ts";
import { encodeBase64url, hmac } from "../crypto/primitives.ts";
import type { FlowContext } from "../model/context.ts";
import type { EmailCodes } from "../model/email-codes.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { EpochSeconds } from "../model/units.ts";

/**
 * Marks the browser that requested a link, so that the link signs in directly only there: mail scanners also open links
 * (docs/behaviour.md#e-mail). The mark lasts as long as every pending sign-in; a link opened later requires one more
 * click. It is found by a keyed hash of the token, so that neither the cookie name nor a page's URL reveals anything
 * about a guessable token.
 */

/** An e-mail provider with codes. */
export type CodeProvider = ResolvedEmailProvider & { readonly code: EmailCodes };

/** Whether e-mails of a provider contain codes. */
export function hasCodes(provider: ResolvedEmailProvider): provider is CodeProvider {
  return provider.code !== undefined;
}

/** The values that a code is checked against, encrypted in the mark, so that it can be checked only in this browser. */
export interface CodeEntry {
  readonly address: string;
  /** The address as it was submitted. */
  readonly spelling: string;
  /** What the codes of the provider are verified with. */
  readonly mac: string;
  /** The token of the link as it is stored: link and code are one token. */
  readonly row: string;
  readonly until: EpochSeconds;
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
  /** Encrypted data of the application. */
  readonly own: string;
}

interface Mark {
  readonly code: CodeEntry | undefined;
  /** The mark of the page `confirm-address` that requested the link. */
  readonly startedFor: string | undefined;
}

const REQUESTED_LINK: PendingKind<Mark> = {
  cookie: "state",
  purpose: "email-token",
  write: ({ code, startedFor: page = "" }) => {
    if (code === undefined) return { page };
    const { address, spelling, mac, row, until, callbackUrl, own } = code;
    return { page, address, spelling, mac, row, until: String(until), to: callbackUrl, own };
  },
  parse: ({ page, address = "", spelling = address, mac, row = "", until, to = "", own = "" }) => {
    const startedFor = page || undefined;
    if (mac === undefined) return { code: undefined, startedFor };
    return { startedFor, code: { address, spelling, mac, row, until: Number(until), callbackUrl: to, own } };
  },
};

/** The public id of a sign-in. It does not reveal the token, and is useless without the mark of its browser. */
export function flowOf(context: FlowContext, provider: ResolvedEmailProvider, token: string): Promise<string> {
  return flowUnder(context.config.secrets[0] ?? "", provider, token);
}

async function flowUnder(secret: string, { id }: ResolvedEmailProvider, token: string): Promise<string> {
  const mac = await hmac(secret, JSON.stringify(["e-mail sign-in", id, token]));
  return encodeBase64url(mac.subarray(0, 32));
}

/** Adds the mark to the jar. */
export async function rememberEmailSignIn(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
  mark: Mark,
): Promise<void> {
  await storePending(context, REQUESTED_LINK, { provider, secret: await flowOf(context, provider, token) }, mark);
}

/** The mark of the link with this token; null unless this browser requested it. */
export async function findEmailSignIn(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<Mark | null> {
  for (const secret of context.config.secrets) {
    const flow = await flowUnder(secret, provider, token);
    const mark = await readPending(context, REQUESTED_LINK, { provider, secret: flow });
    if (mark !== null) return mark;
  }
  return null;
}

/** The values that the code of a sign-in is checked against; null unless this browser started it. */
export async function findCodeEntry(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  flow: string,
): Promise<(CodeEntry & Pick<Mark, "startedFor">) | null> {
  const { code, startedFor } = (await readPending(context, REQUESTED_LINK, { provider, secret: flow })) ?? {};
  return code === undefined ? null : { ...code, startedFor };
}

/**
 * The page that tells the visitor to look for the e-mail: built in, or the application's own.
 *
 * @param params of a sign-in with a code: its `flow`, and `error` after a wrong one.
 */
export function verifyRequestUrl(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  params: Readonly<Record<string, string>> = {},
): string {
  const page = context.config.pages.verifyRequest ?? `${context.baseUrl}/verify-request`;
  const url = new URL(page, context.origin);
  const named = { provider: provider.id, type: "email", ...params };
  for (const [name, value] of Object.entries(named)) url.searchParams.set(name, value);
  return url.href;
}
