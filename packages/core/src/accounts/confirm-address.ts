import { methodOf } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import { type Ceremony, MARK_FIELD, readMark } from "../cookies/pending.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { ActionContext, BodyFields } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import type { EmailIdentity } from "../model/identity.ts";
import type { AuthResult, SignInOption } from "../model/result.ts";
import { brought } from "../pages/layout.ts";
import { adapterHas, requireAccounts } from "../session/accounts.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { deliverOnce, leadOn } from "../sign-in/deliver-once.ts";
import { type Completed, runSignIn } from "../sign-in/run-sign-in.ts";
import { renderConfirmAddress, renderConfirmAgain, renderConfirmElsewhere } from "./confirm-address-page.ts";
import { type FoundAddress, findPendingAddress, type PendingAddress } from "./pending-address.ts";

/**
 * `confirm-address`: the owner of an address decides what to do with a user who has the address but never verified it
 * (docs/email.md#unproven-addresses). They sign in the way they did before. With a link they may also start fresh; with the account of a
 * provider that vouches for the address only if that provider is the authority for it (`ownsAddresses`), or after a link.
 */

/** The values of `step` in the page's forms. */
const STEPS = { ask: "start-fresh", confirmed: "start-fresh-confirmed" } as const;

/** GET `confirm-address`. In a browser without the proof, the page explains where to continue. */
export async function confirmAddressPage(context: ActionContext): Promise<AuthResult> {
  const { method } = context.request;
  // A form with a stale CSRF token is shown again with a new one, unless it is the second click on one that signed in.
  const again = method === "POST" ? await leadOn(context, deliveryOf(context)) : null;
  if (again !== null) return again;
  const found = await findPendingAddress(context);
  const status = method === "POST" ? 403 : 200;
  if (found === null) return brought(renderConfirmElsewhere, { signInUrl: signInUrlOf(context) }, { status });
  return choicePage(context, found, status);
}

/** POST `confirm-address`: starts fresh, after a second confirmation. */
export async function confirmAddress(context: ActionContext): Promise<AuthResult> {
  return deliverOnce(context, deliveryOf(context), async (done) => {
    const { body } = context.request;
    const found = (await findPendingAddress(context, isShownBy(body))) ?? (await findPendingAddress(context));
    if (found === null)
      throw new Verification(
        "This browser has no valid proof of an e-mail address. Open the link in the e-mail again.",
      );
    const { pending } = found;
    const step = body.get("step");
    // Another link was opened since the form was shown: a decision about one proof is not applied to another.
    if (!isShownBy(body)(pending) || !mayStartFresh(pending)) return choicePage(context, found, 200);
    if (step === STEPS.confirmed) return signInFresh(context, pending, done);
    return step === STEPS.ask ? againPage(context, pending) : choicePage(context, found, 200);
  });
}

/** Whether a form is that of a proof; without the mark and the address, it is that of the only one. */
function isShownBy(body: BodyFields): (pending: PendingAddress) => boolean {
  const shown = body.get("email");
  const mark = readMark(body);
  return ({ id, email }) => (mark === undefined ? typeof shown !== "string" || shown === email : mark === id);
}

/** No provider has this id. */
const DELIVERED_TO = { id: ":confirm-address" } as const;

/** The confirmed form of a page, which a double click sends twice. */
function deliveryOf({ request: { body } }: ActionContext): Ceremony | null {
  const mark = readMark(body);
  return mark === undefined || body.get("step") !== STEPS.confirmed ? null : { provider: DELIVERED_TO, secret: mark };
}

/** The owner of a link is signed in at once. The account of a provider proves itself again, and its word about the address is new. */
async function signInFresh(
  context: ActionContext,
  { provider, waiting, email, callbackUrl, provenAt, id, context: own }: PendingAddress,
  done: (completed: Completed) => Promise<AuthResult>,
): Promise<AuthResult> {
  const carrier = context.config.providers.get(waiting?.account.provider ?? "");
  if (provider === undefined && carrier?.kind === "oauth") {
    const { start } = await methodOf(context.config, carrier).load();
    const url = await start?.(context, carrier, {
      callbackUrl,
      fields: new Map([[MARK_FIELD, id]]),
      startsFresh: true,
      requested: { by: "visitor", params: [] },
      context: own,
      request: () => originalRequest(context.request),
    });
    if (url !== undefined) return { kind: "redirect", url };
  }
  if (provider === undefined)
    throw new Verification("The provider that vouched for the address is no longer configured.");
  const account = { provider: provider.id, type: "email", providerAccountId: email } as const;
  const proven = { kind: "email", provider, user: { email }, account, provenAt } as const;
  const identity: EmailIdentity = { ...proven, startsFresh: true, startedFor: id, context: own };
  return done(await runSignIn(context, async () => ({ identity, callbackUrl })));
}

function mayStartFresh({ provider, ownsAddress }: PendingAddress): boolean {
  return provider !== undefined || ownsAddress;
}

async function choicePage(
  context: ActionContext,
  { pending, owner }: FoundAddress,
  status: 200 | 403,
): Promise<AuthResult> {
  const { config, baseUrl } = context;
  const { provider, email, callbackUrl, waiting, id: mark } = pending;
  const { options, hasOthers } = await listWaysIn(context, owner);
  const senders = [...config.providers.values()].filter(({ kind }) => provider === undefined && kind === "email");
  const carrier = config.providers.get(waiting?.account.provider ?? "");
  const choice = {
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
  };
  return brought(renderConfirmAddress, choice, { status });
}

async function againPage(
  context: ActionContext,
  { email, callbackUrl, id: mark }: PendingAddress,
): Promise<AuthResult> {
  const csrfToken = await csrfTokenForForm(context);
  const action = `${context.baseUrl}/confirm-address`;
  return brought(renderConfirmAgain, { email, action, step: STEPS.confirmed, csrfToken, callbackUrl, mark });
}

/** The providers of the user's accounts, and whether the sign-in page may offer further methods. */
async function listWaysIn(context: ActionContext, owner: AdapterUser) {
  const { config } = context;
  const isListed = adapterHas(config, "listAccountsByUserId");
  const accounts = isListed ? await requireAccounts(config).records.call("listAccountsByUserId", owner.id) : [];
  const ids = new Set(accounts.map(({ provider }) => provider));
  const options = [...config.providers.values()].flatMap((one): Extract<SignInOption, { kind: "redirect" }>[] => {
    const option = ids.has(one.id) ? methodOf(config, one).form(context, one) : null;
    return option?.kind === "redirect" ? [option] : [];
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
