import {
  type ActionContext,
  APPLICATION_TIMEOUT_MS,
  type AuthResult,
  addressProviders,
  brought,
  csrfTokenForForm,
  InvalidProvider,
  ownPage,
  type PageScript,
  RETRY_AFTER,
  readIdentifier,
  rememberIdentifier,
  renderLayout,
  renderScript,
  report,
  requestAttempt,
  requireAccounts,
  resolveRedirect,
  runSignIn,
  safe,
  wantsJson,
  withTimeout,
} from "@cardea/core/extension-host";
import {
  type ActionAnswer,
  type ActionRequest,
  type ActionSpec,
  type AddressProof,
  type Attempt,
  type Extension,
  parseEmailAddress,
} from "@cardea/core/extension-kit";
import { askChange } from "./ask-change.ts";
import { collectSections } from "./collect-sections.ts";
import { createRequestTools } from "./create-tools.ts";
import { findPendingSignIn } from "./pending-sign-in.ts";
import { startReauthentication } from "./reauthenticate.ts";
import { endOwnSession, findOwnSession, renewSession } from "./request-session.ts";

/** Headers that contain credentials. */
const CREDENTIALS = ["cookie", "authorization"];

/** Where the browser is to go in the end. */
const TARGET = "callbackUrl";

/**
 * Runs an action of an extension. A POST action without CSRF protection is for programs: it receives and sets no
 * cookies.
 *
 * @throws errors of the action.
 */
export async function runAction(given: ActionContext, extension: Extension, spec: ActionSpec): Promise<AuthResult> {
  const isForProgram = given.request.method === "POST" && spec.csrf === "none";
  const context = await withValidTarget(isForProgram ? withoutCookies(given) : given);
  const request = toRequest(context, extension);
  const answer = await withTimeout(
    APPLICATION_TIMEOUT_MS,
    spec.run(request, createRequestTools(context, extension.id, request)),
  );
  switch (answer.kind) {
    case "page": {
      const page = extensionPage(answer, scriptOf(context, answer));
      return answer.status === 503 ? { ...page, headers: { "retry-after": RETRY_AFTER } } : page;
    }
    case "redirect":
      return { kind: "redirect", url: new URL(answer.url, context.origin).href };
    case "json":
    case "empty":
      return answer;
    default:
      throw new Error(`The action of extension "${extension.id}" returned an undocumented response.`);
  }
}

/** The page of an extension, with the theme of all others. */
function extensionPage(
  answer: Extract<ActionAnswer, { kind: "page" }>,
  script: PageScript | null,
): Extract<AuthResult, { kind: "page" }> {
  const { status, title, main, isWide } = answer;
  const scripts = script === null ? [] : [renderScript(script)];
  return brought(
    (_, frame, texts) => renderLayout({ title, main: safe(main), scripts, isWide: isWide === true }, frame, texts),
    answer,
    { status, script },
  );
}

/** The passkey script, shared by all passkey providers. */
function scriptOf(
  { config, baseUrl }: ActionContext,
  { passkeys }: { readonly passkeys?: boolean },
): PageScript | null {
  const provider = [...config.providers.values()].find(({ kind }) => kind === "webauthn");
  if (passkeys !== true || provider?.kind !== "webauthn") return null;
  return { url: `${baseUrl}/webauthn-script`, integrity: provider.method.script.integrity };
}

/** A context whose cookies are discarded. */
function withoutCookies(context: ActionContext): ActionContext {
  const headers = {
    get: (name: string) => (CREDENTIALS.includes(name.toLowerCase()) ? null : context.headers.get(name)),
  };
  const jar = { set: () => undefined, list: () => [] };
  return { ...context, headers, jar, received: new Map(), repeated: new Map() };
}

/** A context whose `callbackUrl` is validated: an extension may link to it, or pass it on to a page that does. */
async function withValidTarget(context: ActionContext): Promise<ActionContext> {
  const [query, body] = [new URLSearchParams(context.query), new Map(context.request.body)];
  for (const values of [query, body]) {
    const named = values.get(TARGET);
    values.delete(TARGET);
    if (typeof named === "string" && named !== "") values.set(TARGET, await resolveRedirect(context, named));
  }
  return { ...context, query, request: { ...context.request, body } };
}

/** The path of a request after the base URL. */
function pathOf({ request, config }: ActionContext): string {
  return request.url.pathname.slice(config.basePath.length + 1).replace(/\/$/, "");
}

function toRequest(context: ActionContext, extension: Extension): ActionRequest {
  const { request, query, providerId: segment } = context;
  /** The attempt that was allowed, until its result is known. */
  let open: Attempt | undefined;
  const close = () => {
    const attempt = open;
    open = undefined;
    return attempt;
  };
  const targets = [request.body.get(TARGET), query.get(TARGET)].filter((one) => typeof one === "string");
  const succeeded = () => report(context, close(), "success");
  return {
    method: request.method === "POST" ? "POST" : "GET",
    segment,
    query,
    body: request.body,
    wantsJson: wantsJson(context.headers),
    // A POST changes something, often a sign-in method.
    session: () => findOwnSession(context, extension.id, request.method === "POST"),
    pendingSignIn: () => findPendingSignIn(context, extension.id, succeeded),
    attempt: async ({ userId, ...attempt }) => {
      // The id as an adapter returned it, whose type may be another one.
      const named = userId === undefined ? attempt : { ...attempt, userId: String(userId) };
      const answer = await requestAttempt(context, named);
      if (answer.allow) open = answer.attempt;
      return answer;
    },
    failed: () => report(context, close(), "failure"),
    reauthenticate: (wanted) => startReauthentication(context, extension.id, wanted),
    mayChange: (to, given = [], adds = undefined) =>
      askChange(context, { id: extension.id, to, given, ...(adds === undefined ? {} : { adds }) }),
    sections: async (slot, session, to) => {
      const [callbackUrl, csrfToken] = [await resolveRedirect(context, to), await csrfTokenForForm(context)];
      return collectSections(context, slot, { callbackUrl, session, csrfToken });
    },
    identifier: async () => (await readIdentifier(context))?.text,
    // Also for the first step of the sign-in page, which can correct it.
    keepIdentifier: (typed) => rememberIdentifier(context, typed, true),
    csrfToken: () => csrfTokenForForm(context),
    ownPage: (page, parameters) => {
      const [callbackUrl = null] = targets;
      const url = ownPage(context, page, pathOf(context), { ...parameters, callbackUrl });
      return url && { kind: "redirect", url: url.href };
    },
    redirectTo: async (url) => targets.find((one) => one === url) ?? resolveRedirect(context, url),
    signIn: (proof) => signInOwner(context, extension, proof, close),
    clearSession: () => endOwnSession(context),
    renewSession: async (facts) => {
      await renewSession(context, facts);
      if (facts.f?.length) await succeeded();
    },
  };
}

/** Signs in the owner of an address that an extension has proven. */
async function signInOwner(
  context: ActionContext,
  { id }: Extension,
  proof: AddressProof,
  attemptOf: () => Attempt | undefined,
): Promise<string> {
  const { email: spelling, provenAt, created, callbackUrl } = proof;
  const email = parseEmailAddress(spelling, { allowLocalDomains: true }) ?? spelling;
  const given = context.config.providers.get(proof.provider);
  const provider = addressProviders(context.config).find((one) => one.id === proof.provider);
  if (given?.kind !== "credentials" || given.extension?.id !== id || provider === undefined)
    throw new InvalidProvider(`The extension "${id}" cannot prove addresses for provider "${proof.provider}".`);
  const { claimed } = await requireAccounts(context.config).find.claim(provider, email, spelling);
  const identity = { kind: "email", provider, spelling, ...claimed, provenAt, startsFresh: false, created } as const;
  const { url } = await runSignIn(context, async () => ({ identity, callbackUrl, attempt: attemptOf() }));
  return url;
}
