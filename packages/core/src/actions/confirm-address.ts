import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import { csrfTokenForForm } from "../flows/csrf.ts";
import { runSignIn } from "../flows/run-sign-in.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { ActionContext } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import type { AuthResult, SignInOption } from "../model/result.ts";
import type { EmailIdentity } from "../users/identity.ts";
import { findPendingAddress, type PendingAddress } from "../users/pending-address.ts";

/**
 * `confirm-address`: the owner of an address, who proved it with a link, decides what to do with a user who has the address
 * but never verified it (docs/email.md#unproven-addresses). They sign in the way they did before, or start fresh.
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
    return { kind: "page", status, page: { kind: "confirm-address-elsewhere", signInUrl: signInUrlOf(context, null) } };
  }
  return choicePage(context, found.pending, found.owner, status);
}

/** POST `confirm-address`: starts fresh, after a second confirmation. */
export async function confirmAddress(context: ActionContext): Promise<AuthResult> {
  const { body } = context.request;
  const shown = body.get("email");
  const isNamed = typeof shown === "string";
  const found = await findPendingAddress(context, isNamed ? shown : undefined);
  // Another link was opened since the form was shown: a decision about one address is not applied to another.
  const other = found === null && isNamed ? await findPendingAddress(context) : null;
  if (other !== null) return choicePage(context, other.pending, other.owner, 200);
  if (found === null)
    throw new Verification("This browser has no valid proof of an e-mail address. Open the link in the e-mail again.");
  const step = body.get("step");
  if (step === STEPS.ask) return againPage(context, found.pending);
  if (step !== STEPS.confirmed) return choicePage(context, found.pending, found.owner, 200);
  const { pending } = found;
  const identity: EmailIdentity = {
    kind: "email",
    provider: pending.provider,
    user: { email: pending.email },
    account: { provider: pending.provider.id, type: "email", providerAccountId: pending.email },
    provenAt: pending.provenAt,
    startsFresh: true,
    context: pending.context,
  };
  const { url } = await runSignIn(context, { identity, callbackUrl: pending.callbackUrl });
  return { kind: "redirect", url };
}

async function choicePage(
  context: ActionContext,
  { email, callbackUrl }: PendingAddress,
  owner: AdapterUser,
  status: 200 | 403,
): Promise<AuthResult> {
  const { options, hasOthers } = await listWaysIn(context, owner);
  const signInUrl = hasOthers ? signInUrlOf(context, callbackUrl) : null;
  const csrfToken = await csrfTokenForForm(context);
  const action = `${context.baseUrl}/confirm-address`;
  return {
    kind: "page",
    status,
    page: { kind: "confirm-address", email, options, signInUrl, action, step: STEPS.ask, csrfToken, callbackUrl },
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

function signInUrlOf({ config, baseUrl, origin }: ActionContext, callbackUrl: string | null): string {
  const url = new URL(config.pages.signIn ?? `${baseUrl}/signin`, origin);
  if (callbackUrl !== null) url.searchParams.set("callbackUrl", callbackUrl);
  return url.href;
}
