import { type ActionAnswer, type AdapterUser, parseEmailAddress, type RequestTools } from "@cardea/extend";
import { standOf } from "../credential.ts";
import { type FoundPending, type Pending, restorePending, takePending } from "../pending.ts";
import { type Clock, runtimeOf } from "../runtime.ts";
import { fieldOf, type PageName, type Step, tooMany, toPage } from "./answer.ts";

/** Shared by registration and reset: a link is requested for an address and redeemed once. */

type LinkPage = Exclude<PageName, "password">;

/** A link that was sent. */
type Link = Exclude<Pending, { kind: "choose" }>;

/** A permitted request for a link. */
export interface LinkRequest {
  readonly email: string;
  /** The address as it was submitted: a user may be stored under that spelling. */
  readonly spelling: string;
  readonly clock: Clock;
}

/** Registration accepts only new-style addresses that anyone may enter; a reset must find every stored address. */
const ASKED = {
  register: { action: "register", rules: {} },
  reset: { action: "reset", rules: { allowLocalDomains: true } },
} as const;

/**
 * Handles a request for a link. Response and response time are the same whether or not the address has an account (ASVS
 * 6.3.8). `carryOut` decides what is sent; its response, if any, takes precedence.
 */
export async function askForLink(
  step: Step,
  page: LinkPage,
  carryOut: (request: LinkRequest) => Promise<ActionAnswer | null>,
): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const { action: name, rules } = ASKED[page];
  const spelling = fieldOf(step, "email");
  const email = parseEmailAddress(spelling, rules);
  if (email === null) return toPage(step, page, { error: "invalid-address" });
  const sent = toPage(step, page, { step: "sent" });
  const verdict = await action.attempt({ action: name, provider: settings.id, type: "email", identifier: email });
  if (!verdict.allow) {
    t.logger.warn(`password-attempt-refused: too many requests for an address (${page}); no message was sent.`);
    return sent;
  }
  const clock = await runtimeOf(t, settings).begin();
  const refused = await carryOut({ email, spelling, clock });
  if (refused !== null) return refused;
  await clock.end();
  return sent;
}

/** A found link, and how to redeem it. */
export interface Redemption<P extends Pending> {
  readonly page: LinkPage;
  readonly token: string;
  readonly found: FoundPending<P>;
  /** Runs before the link is consumed. If it returns a response, the link is kept. */
  readonly before?: () => Promise<ActionAnswer | null>;
  /** @returns The URL to redirect to. */
  readonly carryOut: () => Promise<string>;
}

/**
 * Whether a link is void: another one was used since, earlier proofs of the user ended since, or its account no longer exists. A link to
 * register creates the account.
 */
export async function isVoid(
  t: RequestTools,
  { pending }: FoundPending<Link>,
  user: AdapterUser | null,
): Promise<boolean> {
  if (user === null) return pending.kind !== "register";
  return pending.stand !== (await standOf(t, user));
}

const REFUSALS: readonly unknown[] = ["AccessDenied", "OAuthAccountNotLinked"];

/**
 * Whether a sign-in was rejected permanently, which consumes its link. After an outage, the link can be opened again; so can it if
 * `callbacks.signIn` threw, which may be an outage as well.
 */
function isRefusal(error: unknown): boolean {
  const { err }: { readonly err?: unknown } = Object(Object(error).cause);
  return error instanceof Error && "type" in error && REFUSALS.includes(error.type) && err === undefined;
}

/** Redeems a link. Only one of several concurrent requests succeeds. */
export async function redeemLink<P extends Pending>(step: Step, redemption: Redemption<P>): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const { page, token, found, before, carryOut } = redemption;
  const identifier = found.pending.email;
  const asked = { action: "email-link", provider: settings.id, type: "email", identifier } as const;
  const verdict = await action.attempt(asked);
  if (!verdict.allow) return tooMany(step, page, verdict);
  const refused = (await before?.()) ?? null;
  if (refused !== null) return refused;
  if (!(await takePending(t, token, found))) return toPage(step, page, { error: "invalid-link" });
  try {
    return { kind: "redirect", url: await carryOut() };
  } catch (error) {
    if (!isRefusal(error)) await restorePending(t, token, found);
    throw error;
  }
}
