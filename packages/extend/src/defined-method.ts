import {
  type ActionContext,
  type AuthResult,
  addressesOf,
  allowAttempt,
  checkRequestSource,
  clearEveryPending,
  clearPending,
  type FlowContext,
  hmac,
  identifySession,
  isPrefetch,
  isSignInRecent,
  type LoadedMethod,
  MissingCSRF,
  originalRequest,
  type ParsedRequest,
  type PasskeyIdentity,
  type PendingKind,
  prove,
  type ResolvedWebAuthnProvider,
  readChoice,
  readPending,
  requireAttempt,
  resolveCallbackUrl,
  storePending,
  versionOf,
} from "@cardea/core/extension-host";
import {
  InvalidRequest,
  type PendingCookies,
  type SignInMethodSpec,
  type SignInTools,
} from "@cardea/core/extension-kit";
import { askMayAdd } from "./ask-change.ts";
import { ExtensionRequestTools } from "./create-tools.ts";

/** The pending data of a sign-in method: opaque encrypted text. */
const PENDING: PendingKind<Readonly<Record<string, string>>> = {
  cookie: "webauthnChallenge",
  purpose: "challenge",
  write: (value) => value,
  parse: (sealed) => sealed,
};

/** The tools of a sign-in method for a request. */
class MethodTools extends ExtensionRequestTools implements SignInTools {
  readonly carrier: ResolvedWebAuthnProvider;
  readonly #context: FlowContext;
  readonly #request: ParsedRequest | undefined;

  constructor(context: FlowContext, provider: ResolvedWebAuthnProvider, request?: ParsedRequest) {
    super(context, provider.type);
    this.carrier = provider;
    this.#context = context;
    this.#request = request;
  }

  callHook(name: string, facts: object, request: object): unknown {
    const { source } = this.carrier;
    const hook: unknown = Reflect.get(source, name);
    if (typeof hook !== "function") throw new TypeError(`The provider has no function "${name}".`);
    return Reflect.apply(hook, source, [facts, { ...request, ...this.#received() }]);
  }

  #received() {
    if (this.#request === undefined) return { headers: {}, cookies: {} };
    return { headers: Object.fromEntries(this.#request.headers), cookies: Object.fromEntries(this.#context.received) };
  }

  get pending(): PendingCookies {
    const context = this.#context;
    const provider = this.carrier;
    return {
      store: (secret, value) => storePending(context, PENDING, { provider, secret }, value),
      take: async (secret) => {
        if (!(await clearPending(context, PENDING, { provider, secret }))) clearEveryPending(context, PENDING);
        return readPending(context, PENDING, { provider, secret });
      },
    };
  }

  redact(secret: string): void {
    this.#context.redact(secret);
  }

  mac(text: string, secret = this.#context.config.secrets.at(-1) ?? "") {
    return hmac(secret, `${this.carrier.type} ${text}`);
  }

  signedIn() {
    return identifySession(this.#context, { isFresh: true });
  }

  isSignInRecent(userId: string) {
    return isSignInRecent(this.#context, userId);
  }

  async mayAdd(userId: string): Promise<boolean> {
    const addition = { userId, adds: "passkey", given: [], callbackUrl: this.#context.origin } as const;
    return (await askMayAdd(this.#context, addition)) === null;
  }
}

/** What signs in with a method that an extension brings (docs/extensions.md#a-sign-in-method). */
export const definedMethod: LoadedMethod<ResolvedWebAuthnProvider> = {
  // The page's script sends it, once.
  method: () => "POST",

  /** Without user verification, a passkey only proves possession of a key (RFC 8176 `pop`). */
  proof: ({ userVerified }) => ({ method: userVerified === true ? "passkey" : "pop" }),
  adds: "passkey",

  /** Nothing is checked before the attempt is allowed. */
  async finish(context, provider) {
    const callbackUrl = await resolveCallbackUrl(context);
    const attempt = await requireAttempt(context, attemptOf(context, provider));
    const tools = new MethodTools(context, provider, context.request);
    const { body } = context.request;
    const proof = await prove(context, attempt, () => provider.method.finish(body, tools));
    const startedFor = await addressesOf(context)?.startedFor(context, body);
    const choice = await readChoice(context, body, (await tools.signedIn())?.fingerprint);
    return {
      identity: { ...proof, kind: "webauthn", startedFor, choice },
      callbackUrl,
      attempt,
    };
  },

  async revive(context, provider, identity: PasskeyIdentity) {
    const proof = await provider.method.revive(identity, new MethodTools(context, provider));
    return proof && { ...proof, kind: "webauthn", startedFor: identity.startedFor };
  },
};

/** `signals`: what the session's user has, of which authenticators are told. */
const ACTIONS: readonly (string | null)[] = ["register", "authenticate", "signals", null];

/**
 * GET `webauthn-options/{id}`: starts a passkey call of the browser (docs/behaviour.md#actions). It creates a challenge, so it
 * accepts neither requests from other sites nor prefetches.
 */
export async function webauthnOptions(context: ActionContext): Promise<AuthResult> {
  const provider = passkeyProviderOf(context);
  if (provider === undefined || !ACTIONS.includes(context.query.get("action"))) {
    throw new InvalidRequest(
      "The request must name a passkey provider, and `action=register` or `action=authenticate`.",
      400,
    );
  }
  if (checkRequestSource(context.request.headers, context.origin) === "cross-site") {
    throw new MissingCSRF("A page of another site requested the passkey options.", "cross-site");
  }
  // No 2xx, or a browser would show this response on the real visit (RFC 8470 §5.2: Too Early).
  if (isPrefetch(context.request)) return { kind: "empty", status: 425 };
  const isAttempt = context.query.get("action") !== "signals";
  if (isAttempt && !(await allowAttempt(context, attemptOf(context, provider))).allow) {
    context.logger.warn(
      `webauthn-attempt-refused: callbacks.allowAttempt denied passkey options for provider "${provider.id}".`,
    );
    return { kind: "json", status: 429, body: { message: "Too many attempts." } };
  }
  const tools = new MethodTools(context, provider, context.request);
  return { kind: "json", status: 200, body: await provider.method.start(context.query, tools) };
}

/** The provider in the path; without one, the only one. */
function passkeyProviderOf({ config, providerId }: ActionContext): ResolvedWebAuthnProvider | undefined {
  const all = [...config.providers.values()].filter((one) => one.kind === "webauthn");
  return all.find(({ id }) => id === providerId) ?? (providerId === undefined && all.length === 1 ? all[0] : undefined);
}

/** Seconds in a year, the longest useful cache lifetime. */
const YEAR = 365 * 24 * 60 * 60;

/**
 * GET `webauthn-script`: the passkey script of the sign-in page, the same for everyone. The version in the page's URL never
 * changes; for any other version the response must be revalidated, so that caches do not confuse versions. The library serves the
 * script itself: a script of a CDN, as in Auth.js, could sign in as any user, and an inline script would be sent with each page.
 */
export async function webauthnScript(
  { query }: ActionContext,
  { integrity, load }: SignInMethodSpec["script"],
): Promise<AuthResult> {
  const isVersion = query.get("v") === versionOf(integrity);
  return { kind: "script", body: await load(), maxAge: isVersion ? YEAR : 0 };
}

function attemptOf({ request }: ActionContext, { id, type }: ResolvedWebAuthnProvider) {
  return { provider: id, type, request: originalRequest(request) };
}
