import {
  type ActionContext,
  type Addition,
  APPLICATION_TIMEOUT_MS,
  type FlowContext,
  identifySession,
  isSignInRecent,
  resolveRedirect,
  withTimeout,
} from "@cardea/core/extension-host";
import { type ChangeTarget, type Factor, isSameId, type OpenedSession } from "@cardea/core/extension-kit";
import { createRequestTools } from "./create-tools.ts";
import { extensionsOf, ownsAction } from "./extensions-of.ts";
import { openFound } from "./opened-session.ts";
import { findOwnSession } from "./request-session.ts";

/** A change that an action of an extension is about to make. */
interface AskedChange extends Omit<ChangeTarget, "callbackUrl"> {
  /** Id of the extension. */
  readonly id: string;
  /** Destination after a proof. */
  readonly to: string;
  readonly given: readonly Factor[];
}

/**
 * Asks whether the session of a request, checked without caches, may change its user's sign-in methods.
 *
 * 1. An ended session leads to the sign-in page. So does one whose user signed in too long ago, where something is added: the smallest
 *    `maxSignInAge` holds for whatever an extension adds, as it does for accounts and passkeys.
 * 2. Every extension agrees.
 *
 * @returns null if the change is allowed; otherwise the URL where the user gives a proof first.
 * @throws errors of extensions; SessionUnavailable.
 */
export async function askChange(
  context: ActionContext,
  { id, to, given, ...others }: AskedChange,
): Promise<string | null> {
  const target = { ...others, callbackUrl: await resolveRedirect(context, to) };
  const session = await findOwnSession(context, id, true);
  if (session === null) return signInUrl(context, target);
  const isRecent = others.adds === undefined || (await isSignInRecent(context, session.userId));
  return isRecent ? askEach(context, session, given, target) : signInUrl(context, target);
}

/**
 * Asks every extension about a sign-in method that a sign-in is about to add to a user; see {@link
 * import("@cardea/core/extension-host").ExtensionRunner.mayAdd}. Without a session, or with those of several users, there is none to ask
 * about.
 */
export async function askMayAdd(
  context: FlowContext,
  { userId, given, facts, ...target }: Addition,
): Promise<string | null> {
  if (extensionsOf(context.config).every(({ mayChange }) => mayChange === undefined)) return null;
  if (facts !== undefined) {
    const issued = await openFound(context.config, { kind: "claims", userId, jti: undefined, facts });
    return askEach(context, issued, given, target);
  }
  const session = await findOwnSession(context, "", true);
  const identified = session ?? (await identifySession(context, { isFresh: true }));
  if (identified === null || !isSameId(identified.userId, userId)) return null;
  return session === null ? signInUrl(context, target) : askEach(context, session, given, target);
}

/** The first challenge wins. An undocumented answer redirects to the sign-in page. */
async function askEach(
  context: FlowContext,
  session: OpenedSession,
  given: readonly Factor[],
  target: ChangeTarget,
): Promise<string | null> {
  for (const extension of extensionsOf(context.config)) {
    if (extension.mayChange === undefined) continue;
    const asked = extension.mayChange(session, given, target, createRequestTools(context, extension.id));
    const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, asked);
    if (answer === true) continue;
    const ask: unknown = Object(answer).ask;
    const isOwn = typeof ask === "string" && ownsAction(extension, ask.split("?", 1)[0] ?? "");
    return isOwn ? `${context.baseUrl}/${ask}` : signInUrl(context, target);
  }
  return null;
}

function signInUrl({ baseUrl }: FlowContext, { callbackUrl, adds }: ChangeTarget): string {
  const why: { readonly error?: string } = adds === undefined ? {} : { error: "SessionRequired" };
  return `${baseUrl}/signin?${new URLSearchParams({ callbackUrl, ...why })}`;
}
