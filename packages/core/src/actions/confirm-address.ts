import { findPendingAddress, type PendingAddress } from "../accounts/pending-address.ts";
import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import { MARK_FIELD } from "../cookies/pending.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { ActionContext } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import type { EmailIdentity } from "../model/identity.ts";
import type { AuthResult, SignInOption } from "../model/result.ts";
import { startOAuth } from "../oauth/start.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { runSignIn } from "../sign-in/run-sign-in.ts";

/**
 * `confirm-address`: the owner of an address decides what to do with a user who has the address but never verified it
 * (docs/email.md#unproven-addresses). They sign in the way they did before. With a link they may also start fresh; with the account of a
 * provider that vouches for the address only if that provider is the authority for it (`ownsAddresses`), or after a link.
 */

/** The values of `step` in the page's forms. */
const STEPS = { ask: "start-fresh", confirmed: "start-fresh-confirmed" } as const;

/** GET `confirm-address`. In a browser without the proof, the page explains where to continue. */
export async function confirmAddressPage(context: ActionContext): Promise<AuthResult> {
  const found = await findPendingAddress(context);
  const { method } = context.request;
  // A form with a stale CSRF token is shown again with a new one.
  const status = method === "POST" ? 403 : 200;
  if (found === null) {
    return { kind: "page", status, page: { kind: "confirm-address-elsewhere", signInUrl: signInUrlOf(context) } };
  }
  return choicePage(context, found.pending, found.owner, status);
}

/** POST `confirm-address`: starts fresh, after a second confirmation. */
export async function confirmAddress(context: ActionContext): Promise<AuthResult> {
  const { body } = context.request;
  const shown = body.get("email");
  const isNamed = typeof shown === "string";
  const found = await findPendingAddress(context, ({ email }) => !isNamed || email === shown);
  // Another link was opened since the form was shown: a decision about one address is not applied to another.
  const other = found === null && isNamed ? await findPendingAddress(context) : null;
  if (other !== null) return choicePage(context, other.pending, other.owner, 200);
  if (found === null)
    throw new Verification("This browser has no valid proof of an e-mail address. Open the link in the e-mail again.");
  const step = body.get("step");
  if (!mayStartFresh(found.pending)) return choicePage(context, found.pending, found.owner, 200);
  if (step === STEPS.ask) return againPage(context, found.pending);
  if (step !== STEPS.confirmed) return choicePage(context, found.pending, found.owner, 200);
  return { kind: "redirect", url: await startFresh(context, found.pending) };
}

/** The owner of a link is signed in at once. The account of a provider proves itself again, and its word about the address is new. */
async function startFresh(context: ActionContext, pending: PendingAddress): Promise<string> {
  const { provider, email, callbackUrl, provenAt, mark, context: own } = pending;
  const carrier = context.config.providers.get(pending.waiting?.account.provider ?? "");
  if (provider === undefined && carrier?.kind === "oauth") {
    return startOAuth(context, carrier, {
      callbackUrl,
      fields: new Map([[MARK_FIELD, mark]]),
      startsFresh: true,
      requested: { by: "visitor", params: [] },
      context: own,
    });
  }
  if (provider === undefined)
    throw new Verification("The provider that vouched for the address is no longer configured.");
  const identity: EmailIdentity = {
    kind: "email",
    provider,
    user: { email },
    account: { provider: provider.id, type: "email", providerAccountId: email },
    provenAt,
    startsFresh: true,
    context: own,
  };
  return (await runSignIn(context, async () => ({ identity, callbackUrl }))).url;
}

function mayStartFresh({ provider, ownsAddress }: PendingAddress): boolean {
  return provider !== undefined || ownsAddress;
}

async function choicePage(
  context: ActionContext,
  pending: PendingAddress,
  owner: AdapterUser,
  status: 200 | 403,
): Promise<AuthResult> {
  const { config, baseUrl } = context;
  const { provider, email, callbackUrl, waiting, mark } = pending;
  const { options, hasOthers } = await listWaysIn(context, owner);
  const senders = [...config.providers.values()].filter(({ kind }) => provider === undefined && kind === "email");
  const carrier = config.providers.get(waiting?.account.provider ?? "");
  return {
    kind: "page",
    status,
    page: {
      kind: "confirm-address",
      email,
      waiting: carrier?.name ?? null,
      options,
      links: senders.map(({ id, name }) => ({ name, action: `${baseUrl}/signin/${id}` })),
      signInUrl: hasOthers ? signInUrlOf(context, callbackUrl, mark) : null,
      action: `${baseUrl}/confirm-address`,
      step: mayStartFresh(pending) ? STEPS.ask : null,
      csrfToken: await csrfTokenForForm(context),
      callbackUrl,
      mark,
    },
  };
}

async function againPage(context: ActionContext, { email, callbackUrl }: PendingAddress): Promise<AuthResult> {
  const csrfToken = await csrfTokenForForm(context);
  const action = `${context.baseUrl}/confirm-address`;
  return {
    kind: "page",
    status: 200,
    page: { kind: "confirm-address-again", email, action, step: STEPS.confirmed, csrfToken, callbackUrl },
  };
}

/** The providers of the user's accounts, and whether the sign-in page may offer further methods. */
async function listWaysIn({ config, baseUrl }: ActionContext, owner: AdapterUser) {
  const isListed = adapterHas(config, "listAccountsByUserId");
  const accounts = isListed ? await callAdapter(config, "listAccountsByUserId", owner.id) : [];
  const ids = new Set(accounts.map(({ provider }) => provider));
  const options = [...config.providers.values()].flatMap((one): Extract<SignInOption, { kind: "redirect" }>[] => {
    if (one.kind !== "oauth" || !ids.has(one.id)) return [];
    return [{ kind: "redirect", id: one.id, name: one.name, action: `${baseUrl}/signin/${one.id}`, style: one.style }];
  });
  const hasPasswords = [...config.providers.values()].some(({ kind }) => kind === "credentials");
  return { options, hasOthers: hasPasswords || options.length === 0 || options.length < ids.size };
}

function signInUrlOf({ config, baseUrl, origin }: ActionContext, callbackUrl?: string, mark?: string): string {
  const url = new URL(config.pages.signIn ?? `${baseUrl}/signin`, origin);
  if (callbackUrl !== undefined) url.searchParams.set("callbackUrl", callbackUrl);
  if (mark !== undefined) url.searchParams.set(MARK_FIELD, mark);
  return url.href;
}
