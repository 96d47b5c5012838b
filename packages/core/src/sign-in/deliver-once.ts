import { type Ceremony, type PendingKind, readPending, sentPending, storePending } from "../cookies/pending.ts";
import { sha256 } from "../crypto/primitives.ts";
import type { ActionContext, CookieJar } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { hasGoodSession } from "../session/identify-session.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { Completed } from "./run-sign-in.ts";

/**
 * A callback that the same browser delivers twice: a double redirect or click, Reload, Back (docs/behaviour.md#second-delivery). What was
 * proven counts once, so the second delivery gets the answer of the first, or is led to where the first led.
 */

/** What the answer to a callback leaves in place of the pending cookie: where it led, and the session that the browser has since. */
type Delivered = Omit<Completed, "session"> & Required<Pick<Completed, "session">>;

/** Its own purpose: what was delivered can never be opened as what is pending, nor by a version that does not know it. */
const DELIVERED: PendingKind<Delivered> = {
  cookie: "state",
  purpose: "delivered",
  lifetime: 60,
  write: ({ url, session, code = "" }) => ({ to: url, session, code }),
  parse: ({ to, session, code }) =>
    to === undefined || session === undefined ? null : { url: to, session, ...(code ? { code } : {}) },
};

/**
 * Answers a callback.
 *
 * 1. A delivery that has its answer leads on; see {@link leadOn}.
 * 2. One that is the same as another in this process, which is not answered yet, gets that answer, with its cookies.
 * 3. Any other is run. What completes a sign-in is left for the next delivery.
 *
 * @param delivery null if nothing identifies it: it is run.
 * @param run receives what turns a completed sign-in into the answer.
 */
export async function deliverOnce(
  context: ActionContext,
  delivery: Ceremony | null,
  run: (done: (completed: Completed) => Promise<AuthResult>) => Promise<AuthResult>,
): Promise<AuthResult> {
  const answer = () =>
    run(async (completed) => {
      if (delivery !== null) await leave(context, delivery, completed);
      return redirectTo(completed);
    });
  if (delivery === null) return answer();
  return (await leadOn(context, delivery)) ?? share(context, await keyOf(context, delivery), answer);
}

/**
 * The redirect of a delivery that was answered, in the browser that still has the session of that answer; otherwise null. With the form of
 * a provider, which another site sends, browsers send no session cookie: the page it led to decides who may see it.
 */
export async function leadOn(context: ActionContext, delivery: Ceremony | null): Promise<AuthResult | null> {
  const delivered = delivery && (await readPending(context, DELIVERED, delivery));
  if (!delivered) return null;
  const session = await strategyOf(context.config).sessionId(context);
  if (session === "" && delivery?.provider.formPost && context.request.method === "POST") return redirectTo(delivered);
  if (delivered.session !== session) return null;
  const isGood = delivered.session === "" || (await hasGoodSession(context, { orAsked: true }));
  return isGood ? redirectTo(delivered) : null;
}

/** Without a session, the answer was a further step: a page that continues only in the browser that was sent there. */
async function leave(context: ActionContext, delivery: Ceremony, completed: Completed): Promise<void> {
  const session = completed.session ?? (await strategyOf(context.config).sessionId(context));
  await storePending(context, DELIVERED, delivery, { ...completed, session });
}

function redirectTo({ url, code }: Completed): AuthResult {
  return { kind: "redirect", url, ...(code === undefined ? {} : { body: { code } }) };
}

/** An answer that is not there yet, and the cookies that it sets. */
interface Underway {
  readonly answer: Promise<AuthResult>;
  readonly jar: CookieJar;
}

/** The deliveries of this process that are not answered yet, by application: another one decides for itself. */
const inFlight = new WeakMap<object, Map<string, Underway>>();

async function share(context: ActionContext, key: string | null, run: () => Promise<AuthResult>): Promise<AuthResult> {
  if (key === null) return run();
  const { jar, config } = context;
  const others = inFlight.get(config.application) ?? new Map<string, Underway>();
  inFlight.set(config.application, others);
  const first = others.get(key);
  if (first === undefined) {
    const answer = run().finally(() => others.delete(key));
    others.set(key, { answer, jar });
    return answer;
  }
  try {
    return await first.answer;
  } finally {
    for (const cookie of first.jar.list()) jar.set(cookie);
  }
}

/**
 * What two deliveries have in common: the request, its session, and a cookie that only this browser knows. That is the pending cookie, or in
 * a browser that did not request a link, the CSRF token of its form. Null without one: a URL may be known elsewhere.
 */
async function keyOf(context: ActionContext, { secret }: Ceremony): Promise<string | null> {
  const { method, url, rawBody } = context.request;
  const pending = await sentPending(context, DELIVERED, secret);
  const form = method === "POST" ? context.received.get(context.cookies.csrfToken.name) : undefined;
  const known = pending.length === 0 && form !== undefined ? [form] : pending;
  if (known.length === 0) return null;
  const session = await strategyOf(context.config).sessionId(context);
  return sha256(JSON.stringify([method, url.href, new TextDecoder().decode(rawBody), known, session]));
}
