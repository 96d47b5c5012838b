import { type ActionAnswer, parseEmailAddress } from "@cardea/core/extend";
import { type FoundPending, type Pending, restorePending, takePending } from "../pending.ts";
import { type Clock, runtimeOf } from "../runtime.ts";
import { fieldOf, type PageName, type Step, tooMany, toPage } from "./answer.ts";

/** What registration and reset have in common: an address asks for a link, and a link is redeemed once. */

type LinkPage = Exclude<PageName, "password">;

/** A request for a link that is allowed. */
export interface LinkRequest {
  readonly email: string;
  readonly clock: Clock;
}

/** For registration the address is one that anyone may type; a reset finds every one that is stored. */
const ASKED = {
  register: { action: "email", rules: {} },
  reset: { action: "reset", rules: { allowLocalDomains: true } },
} as const;

/**
 * Takes a request for a link. The answer, and the time that it takes, are the same whether the address has an account or not (ASVS 6.3.8):
 * what is sent is decided by `carryOut`, whose answer wins where it gives one.
 */
export async function askForLink(
  step: Step,
  page: LinkPage,
  carryOut: (request: LinkRequest) => Promise<ActionAnswer | null>,
): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const { action: name, rules } = ASKED[page];
  const email = parseEmailAddress(fieldOf(step, "email"), rules);
  if (email === null) return toPage(step, page, { error: "invalid-address" });
  const sent = toPage(step, page, { step: "sent" });
  const verdict = await action.attempt({ action: name, provider: settings.id, type: "email", identifier: email });
  if (!verdict.allow) {
    t.logger.warn(`password-attempt-refused: too many requests of an address (${page}); no message was sent.`);
    return sent;
  }
  const clock = await runtimeOf(t, settings).begin();
  const refused = await carryOut({ email, clock });
  if (refused !== null) return refused;
  await clock.end();
  return sent;
}

/** A link that was found, and what it leads to. */
export interface Redemption<P extends Pending> {
  readonly page: LinkPage;
  readonly token: string;
  readonly found: FoundPending<P>;
  /** Checked before the link is used up; an answer keeps it. */
  readonly before?: () => Promise<ActionAnswer | null>;
  /** @returns where the browser goes. */
  readonly carryOut: () => Promise<string>;
}

const REFUSALS: readonly unknown[] = ["AccessDenied", "OAuthAccountNotLinked"];

/** Whether a sign-in was refused for good: then its link is used up. After an outage it can be opened again. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "type" in error && REFUSALS.includes(error.type);
}

/** Redeems a link, once: of several requests at the same time one does. */
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
