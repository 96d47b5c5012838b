import { loadRunner } from "../context/create-context.ts";
import { clearEveryPending, clearPending, type PendingKind, readPending, storePending } from "../cookies/pending.ts";
import { hmac } from "../crypto/hmac.ts";
import type { FlowContext, ParsedRequest } from "../model/context.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import type { AccountTools, PendingCookies, SignInTools } from "../model/sign-in-way.ts";
import { strategyOf } from "../session/select-strategy.ts";
import { createUserWithAccount, linkAccount } from "../users/create-user.ts";
import { deferEvents } from "../users/defer-events.ts";
import { isSignInRecent } from "../users/recent-sign-in.ts";
import { requireRoom, requireSameSession } from "../users/way-in.ts";
import { ExtensionRequestTools, type Note } from "./create-tools.ts";

type Sealed = Readonly<Record<string, string>>;

/** The pending data of a sign-in method: opaque encrypted text. */
const PENDING: PendingKind<Sealed> = {
  cookie: "webauthnChallenge",
  purpose: "challenge",
  write: (value) => value,
  parse: (sealed) => sealed,
};

/** Notifies extensions, if there are any. They are already loaded, because they were asked about the attempt. */
const note: Note = (config, fact) => {
  const runner = loadRunner(config);
  if (runner !== undefined && !("then" in runner)) runner.note(config, fact);
};

class WayTools extends ExtensionRequestTools implements SignInTools {
  readonly carrier: ResolvedWebAuthnProvider;
  readonly #context: FlowContext;
  readonly #request: ParsedRequest | undefined;

  constructor(context: FlowContext, provider: ResolvedWebAuthnProvider, request: ParsedRequest | undefined) {
    super(context, provider.type, note);
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
    return strategyOf(this.#context.config).identify(this.#context, true);
  }

  isSignInRecent(userId: string) {
    return isSignInRecent(this.#context, userId);
  }

  async mayAdd(userId: string): Promise<boolean> {
    const runner = await loadRunner(this.#context.config);
    const addition = { userId, adds: "passkey", given: [], callbackUrl: this.#context.origin } as const;
    return (await runner?.mayAdd(this.#context, addition)) == null;
  }

  accounts(): AccountTools {
    const { context, release } = deferEvents(this.#context);
    return {
      create: (proof, authenticator) => createUserWithAccount(context, { kind: "webauthn", ...proof, authenticator }),
      link: (proof, user) => linkAccount(context, { kind: "webauthn", ...proof }, user),
      announce: release,
    };
  }

  requireRoom(...[account, userId]: Parameters<SignInTools["requireRoom"]>) {
    return requireRoom(this.#context, { account }, userId);
  }

  requireSameSession(...[account, userId, fingerprint]: Parameters<SignInTools["requireSameSession"]>) {
    return requireSameSession(this.#context, { account }, userId, fingerprint);
  }
}

/** Creates the tools of a sign-in method for a request. */
export function createSignInTools(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  request?: ParsedRequest,
): SignInTools {
  return new WayTools(context, provider, request);
}
