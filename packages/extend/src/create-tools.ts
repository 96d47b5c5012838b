import {
  adapterHas,
  createLogger,
  decryptCookie,
  decryptFirstCookie,
  encryptCookie,
  type FlowContext,
  guardStore,
  hmac,
  loadProviderTools,
  MAX_LIFETIME,
  type NamedValues,
  type ResolvedConfig,
  randomToken,
  requireAccounts,
  sha256,
  valuesOf,
} from "@cardea/core/extension-host";
import {
  type ActionRequest,
  type Adapter,
  type AdapterMethod,
  type AdapterResult,
  type AddedFacts,
  type EndOfSessions,
  encodeBase64url,
  type ForgottenAccount,
  type PasskeyTools,
  type ProviderTools,
  type RequestTools,
  type SealedCookies,
  type Seconds,
  type SecurityFactBody,
  type Tools,
} from "@cardea/core/extension-kit";
import { endSessions } from "./end-sessions.ts";
import { forgetTokens, notifyFact } from "./notify-facts.ts";
import { createPasskeyTools } from "./passkey-tools.ts";
import { findRequester } from "./requester.ts";
import { listInfos, patchInfo, removeInfos } from "./session-info.ts";
import { epochOf } from "./user-epoch.ts";
import { headersWithoutSession } from "./without-session.ts";

/** 128 bits, so that ids cannot be guessed. */
const ID_BYTES = 16;

/** The context that tools are created from. */
type ToolsContext = Pick<FlowContext, "config" | "logger" | "now" | "redact">;

/**
 * A class, because an instance is created for each session read that an extension checks, and class methods are created
 * once. The context contains the secrets and the session token, so it is in a private field that extensions cannot
 * read.
 */
class ExtensionTools<S extends ToolsContext> implements Tools {
  readonly #context: S;
  readonly #id: string;

  constructor(context: S, id: string) {
    this.#context = context;
    this.#id = id;
  }

  get application() {
    return this.#context.config.application;
  }

  get settings(): unknown {
    const extension = this.#context.config.extensions?.list.find(({ id }) => id === this.#id);
    if (extension === undefined) throw new TypeError(`Unknown extension "${this.#id}".`);
    return extension.settings;
  }

  get logger(): Tools["logger"] {
    return this.#context.logger;
  }

  get now() {
    return this.#context.now;
  }

  get strategy() {
    return this.#context.config.session.strategy;
  }

  get sessionLife() {
    const { session, jwt } = this.#context.config;
    return session.strategy === "jwt" ? jwt.maxAge : session.maxAge;
  }

  get store() {
    const { store } = this.#context.config;
    return store === undefined ? undefined : guardStore(store);
  }

  /** Uses the oldest secret: during a rotation, every process knows it, whether or not it has the new one. */
  async key(...about: readonly string[]): Promise<string> {
    const mac = await hmac(this.#context.config.secrets.at(-1) ?? "", `extension key ${this.#textOf(about)}`);
    return `cardea:${this.#id}:${encodeBase64url(mac.subarray(0, 32))}`;
  }

  async permanentKey(...about: readonly string[]): Promise<string> {
    return `cardea:${this.#id}:${await sha256(this.#textOf(about))}`;
  }

  get fixedUrl() {
    const { fixedOrigin, basePath } = this.#context.config;
    return fixedOrigin === undefined ? undefined : `${fixedOrigin}${basePath}`;
  }

  get basePath() {
    return this.#context.config.basePath;
  }

  hasExtension(id: string): boolean {
    return this.#context.config.extensions?.list.some((one) => one.id === id) === true;
  }

  adapterHas(...methods: readonly AdapterMethod[]): boolean {
    return adapterHas(this.#context.config, ...methods);
  }

  async callAdapter<M extends AdapterMethod>(
    method: M,
    ...args: Parameters<NonNullable<Adapter[M]>>
  ): Promise<AdapterResult<M>> {
    const { records } = requireAccounts(this.#context.config);
    if (method !== "useVerificationToken") return records.call(method, ...args);
    // The arguments and the result of this method.
    return records.consume(Object(args[0])) as Promise<AdapterResult<M>>;
  }

  async findUserByAddress(address: string) {
    return requireAccounts(this.#context.config).find.byAddress(address);
  }

  digest(text: string): Promise<string> {
    return sha256(text);
  }

  randomId(): string {
    return randomToken(ID_BYTES);
  }

  async seal(value: Readonly<Record<string, string>>, use: string, lifetime: Seconds): Promise<string> {
    return encryptCookie(value, bindingOf(this.#context, this.#id, use), lifetime);
  }

  async open(sealed: string, use: string) {
    return decryptCookie(sealed, bindingOf(this.#context, this.#id, use));
  }

  get signInMethods() {
    return [...this.#context.config.providers.values()].map(({ id, name, kind }) => ({ id, name, kind }));
  }

  get providers() {
    return [...this.#context.config.providers.values()].filter(({ kind }) => kind === "oauth").map(({ id }) => id);
  }

  async provider(id: string): Promise<ProviderTools | null> {
    const provider = this.#context.config.providers.get(id);
    if (provider?.kind !== "oauth") return null;
    const createProviderTools = await loadProviderTools();
    return createProviderTools(provider, this.#context);
  }

  /** Retains the configuration alone, so that an extension may keep it. */
  get epoch() {
    const { config } = this.#context;
    return (userId: string) => epochOf(config, userId);
  }

  async endSessions(userId: string, end: EndOfSessions): Promise<AddedFacts> {
    const { config } = this.#context;
    return endSessions(config, toolsFor(config), String(userId), end);
  }

  async forgetTokens(account: ForgottenAccount): Promise<boolean> {
    const { config } = this.#context;
    return forgetTokens(config, toolsFor(config), account);
  }

  note(fact: SecurityFactBody): void {
    const { config } = this.#context;
    const noted = "userId" in fact && fact.userId !== undefined ? { ...fact, userId: String(fact.userId) } : fact;
    notifyFact(config, toolsFor(config), noted);
  }

  listSessions(userId: string) {
    return listInfos(this.#context.config, userId);
  }

  updateSession(sid: string, patch: Parameters<Tools["updateSession"]>[1]) {
    return patchInfo(this.#context.config, sid, patch);
  }

  forgetSessions(userId: string) {
    return removeInfos(this.#context.config, userId);
  }

  /**
   * Serializes a list of parts injectively. Some databases return numbers as ids, despite the type; a session has the same id
   * as text.
   */
  #textOf(about: readonly string[]): string {
    return JSON.stringify([this.#id, ...about.map(String)]);
  }
}

/** The tools for a request. */
export class ExtensionRequestTools<S extends FlowContext = FlowContext>
  extends ExtensionTools<S>
  implements RequestTools
{
  readonly #context: S;
  readonly #id: string;
  readonly #action: ActionRequest | undefined;

  /** @param action the request, if it is one for an action. */
  constructor(context: S, id: string, action?: ActionRequest) {
    super(context, id);
    this.#context = context;
    this.#id = id;
    this.#action = action;
  }

  get origin() {
    return this.#context.origin;
  }

  get lang() {
    return this.#context.config.texts.lang ?? "en";
  }

  get isOriginCertain() {
    const { fixedOrigin, isProduction } = this.#context.config;
    return fixedOrigin !== undefined || !isProduction;
  }

  get baseUrl() {
    return this.#context.baseUrl;
  }

  get passkeys(): PasskeyTools | null {
    return createPasskeyTools(this.#context.config, this);
  }

  get headers() {
    return headersWithoutSession(this.#context);
  }

  requester() {
    return findRequester(this.#context, this.#action);
  }

  async watchSessions(userId: string): Promise<void> {
    this.#context.state.epoch = await this.epoch(userId).read();
  }

  get cookies(): SealedCookies {
    const context = this.#context;
    const secure = context.cookies.sessionToken.options.secure === true;
    const nameOf = (name: string) => `${secure ? "__Host-" : ""}cardea.${name}`;
    const set = (name: string, value: string, maxAge: Seconds) => {
      const options = {
        httpOnly: true,
        sameSite: "lax",
        path: "/",
        secure,
        maxAge: Math.min(maxAge, MAX_LIFETIME),
      } as const;
      context.jar.set({ name: nameOf(name), value, options });
    };
    const binding = (name: string) => bindingOf(context, this.#id, `cookie ${name}`);
    /** What this request set counts, not what the browser sent before. */
    const valuesNow = (name: string) => {
      const own = context.jar.list().find((cookie) => cookie.name === name);
      return own === undefined ? valuesOf(name, context) : [own.value];
    };
    return {
      read: (name) => decryptFirstCookie(valuesNow(nameOf(name)), binding(name)),
      write: async (name, value, lifetime) => set(name, await encryptCookie(value, binding(name), lifetime), lifetime),
      clear: (name) => {
        if (context.received.has(nameOf(name))) set(name, "", 0);
      },
    };
  }
}

function bindingOf({ config }: ToolsContext, id: string, use: string) {
  return { secrets: config.secrets, purpose: "extension", salt: `${id} ${use}`, provider: null } as const;
}

/** Creates the tools of each extension outside of a request, with the clock and the logger of the application. */
export function toolsFor(config: ResolvedConfig): (id: string) => Tools {
  return (id) => {
    const made: NamedValues[] = [];
    const logger = createLogger(config.logger, config.debug, config.redacted, made);
    const redact: FlowContext["redact"] = (value) => void made.push([["token", value]]);
    return new ExtensionTools({ config, logger, redact, now: () => Math.floor(Date.now() / 1000) }, id);
  };
}

/** Creates the tools of one extension for a request. */
export function createRequestTools(context: FlowContext, id: string, action?: ActionRequest): RequestTools {
  return new ExtensionRequestTools(context, id, action);
}
