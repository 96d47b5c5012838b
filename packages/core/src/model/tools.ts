import type { Adapter, AdapterMethod, AdapterResult, AdapterUser } from "./adapter.ts";
import type { RedactingLogger } from "./callbacks.ts";
import type { ForgottenAccount } from "./candidate.ts";
import type { ProviderTools } from "./provider-tools.ts";
import type { SecurityFactBody } from "./security-fact.ts";
import type { AddedFacts, EndOfSessions } from "./session-facts.ts";
import type { SessionInfo, SessionInfoPatch } from "./session-info.ts";
import type { Counter, Store } from "./store.ts";
import type { Markup } from "./theme.ts";
import type { EpochSeconds, Seconds } from "./units.ts";
import type { GivenProof, ProofChallenge, ProofForm, ProofRequest } from "./user-proof.ts";

/** A configured provider. */
interface ConfiguredMethod {
  /** Its id. */
  readonly id: string;
  /** The name on its sign-in button. */
  readonly name: string;
  /** The sign-in method. */
  readonly kind: "oauth" | "email" | "credentials" | "webauthn";
}

/** The tools of an extension outside of a request, for example in a function called by server code. */
export interface Tools {
  /**
   * Identity of the application. Associate in-memory state of an extension with it, not with the configuration object.
   */
  readonly application: object;
  /** The member `settings` of the extension, of the type that its `defineExtension()` received; undefined without one. */
  readonly settings: unknown;
  /** The current time, in seconds since 1970. */
  readonly now: () => EpochSeconds;
  /** Redacts the secrets of the application. */
  readonly logger: RedactingLogger;
  /** Where sessions are stored: in the cookie (`jwt`) or in the database. */
  readonly strategy: "jwt" | "database";
  /** The maximum lifetime of a session without renewal. */
  readonly sessionLife: Seconds;
  /** The shared store, whose calls time out after two seconds; undefined if none is configured. */
  readonly store: Store | undefined;
  /**
   * A key for {@link Tools.store} that does not reveal its subject: `cardea:<extension>:<HMAC>`. For e-mail addresses,
   * IP addresses and other guessable values. Derived with the oldest configured secret, so that it is stable until that
   * secret is removed.
   */
  key(...about: readonly string[]): Promise<string>;
  /**
   * Like {@link Tools.key}, with SHA-256 and without a secret: for ids, and for entries that must survive secret
   * rotation.
   */
  permanentKey(...about: readonly string[]): Promise<string>;
  /** URL of the actions, for links in messages that no request caused; undefined without `AUTH_URL`. */
  readonly fixedUrl: string | undefined;
  /** The base path of the actions, as the browser sees it. */
  readonly basePath: string;
  /** Whether another extension is configured. */
  hasExtension(id: string): boolean;
  /** Whether the adapter has all of these methods. */
  adapterHas(...methods: readonly AdapterMethod[]): boolean;
  /**
   * Calls a method of the adapter with a timeout, and validates its result.
   *
   * @throws AdapterError.
   */
  callAdapter<M extends AdapterMethod>(
    method: M,
    ...args: Parameters<NonNullable<Adapter[M]>>
  ): Promise<AdapterResult<M>>;
  /**
   * Finds the user with exactly this e-mail address, even if the database compares less strictly, first as it is spelled, then in
   * lower case.
   *
   * @throws AdapterError, also for two users whose addresses differ in case alone.
   */
  findUserByAddress(address: string): Promise<AdapterUser | null>;
  /** SHA-256 of a text in base64url. */
  digest(text: string): Promise<string>;
  /** 128 random bits in base64url. */
  randomId(): string;
  /** Encrypts string values with the application's secrets, bound to the extension and `use`. */
  seal(value: Readonly<Record<string, string>>, use: string, lifetime: Seconds): Promise<string>;
  /**
   * Decrypts a result of {@link Tools.seal}; null if it is invalid, has expired, or was created for another use. Never
   * throws.
   */
  open(sealed: string, use: string): Promise<Readonly<Record<string, string>> | null>;
  /** The configured providers, in their order. */
  readonly signInMethods: readonly ConfiguredMethod[];
  /** Ids of the configured OAuth 2 and OpenID Connect providers. */
  readonly providers: readonly string[];
  /** A configured OAuth 2.0 or OpenID Connect provider; null for any other id. Its code is loaded on demand. */
  provider(id: string): Promise<ProviderTools | null>;
  /**
   * The epoch of a user. What stands for a proof carries the value of its time, and has ended once the epoch is greater
   * (docs/session-control.md#what-each-event-ends). Without a store, it is always 0.
   */
  readonly epoch: (userId: string) => Counter;
  /**
   * Raises the epoch of a user, which ends all that stands for an earlier proof, and ends every session of the user, or all but one, through
   * the extensions that support it (`endSessions`). Without such an extension, all records of database sessions are deleted, that of the
   * spared session only if the adapter has no `listSessionsByUserId`.
   *
   * @returns The facts with which the spared session must be re-issued, or the spared sign-in completed, to keep it.
   * @throws errors of the extensions, the adapter or the store.
   */
  endSessions(userId: string, end: EndOfSessions): Promise<AddedFacts>;
  /**
   * Lets the extension that stores the tokens of an account revoke and remove them. Never throws: an account is removed also while its provider
   * is unavailable.
   *
   * @returns Whether an extension stores tokens; otherwise, they are in the record of the account.
   */
  forgetTokens(account: ForgottenAccount): Promise<boolean>;
  /** Calls `observe` of every extension. */
  note(fact: SecurityFactBody): void;
  /**
   * The recorded sessions of a user that have neither ended nor expired. Sessions are recorded if an extension sets `needs.sessionInfo`.
   *
   * @throws AdapterError, or errors of the store.
   */
  listSessions(userId: string): Promise<readonly SessionInfo[]>;
  /**
   * Updates the record of a session; null if there is none.
   *
   * @throws AdapterError, or errors of the store.
   */
  updateSession(sid: string, patch: SessionInfoPatch): Promise<SessionInfo | null>;
  /** Removes the session records of a user. Does not end the sessions. */
  forgetSessions(userId: string): Promise<void>;
}

/** Encrypted cookies of an extension, named `cardea.<name>`. */
export interface SealedCookies {
  /** The decrypted value of a cookie; null if it is missing or invalid. */
  read(name: string): Promise<Readonly<Record<string, string>> | null>;
  /** Encrypts a value and sets the cookie, with a lifetime in seconds. */
  write(name: string, value: Readonly<Record<string, string>>, lifetime: Seconds): Promise<void>;
  /** Removes the cookie from the browser. */
  clear(name: string): void;
}

/** Passkey authentication of a known user. */
export interface PasskeyTools {
  /**
   * Creates a challenge for the passkeys of a user. Writes nothing.
   *
   * @returns The JSON for the page's script; null if the user has no passkey.
   * @throws WebAuthnVerificationError, AdapterError.
   */
  challenge(request: ProofRequest): Promise<PasskeyQuestion | null>;
  /**
   * Verifies what the script posted. Each response is accepted once, and only for the extension and the session or pending sign-in that
   * requested the challenge.
   *
   * @throws InvalidRequest, WebAuthnVerificationError, AdapterError.
   */
  verify(request: ProofRequest, body: ReadonlyMap<string, unknown>): Promise<GivenProof>;
  /** Renders the form for a page with `passkeys: true`. */
  form(form: ProofForm): Markup;
}

/** The JSON for the page's script. */
export interface PasskeyQuestion extends ProofChallenge {
  /** The action of the script: it requests an existing passkey. */
  readonly action: "authenticate";
  /** Id of the provider. */
  readonly provider: string;
}

/** The tools of an extension during a request. */
export interface RequestTools extends Tools {
  /** The origin that the browser sees. */
  readonly origin: string;
  /** The language of the page, a tag of BCP 47: `texts.lang` of the application. */
  readonly lang: string;
  /**
   * Whether the origin is configured by `AUTH_URL`, or the application is not in production. Only then may the origin
   * determine a relying party.
   */
  readonly isOriginCertain: boolean;
  /** URL of the actions: `origin` and the base path. */
  readonly baseUrl: string;
  /** Passkey authentication of a known user; null if no provider supports it. */
  readonly passkeys: PasskeyTools | null;
  /** The headers of the request, without session cookies. */
  readonly headers: Pick<Headers, "get">;
  /** The extension's own cookies, including those set by this request. */
  readonly cookies: SealedCookies;
  /**
   * Identifies who asks: the session of the request; in an action, as `action.session()` and `action.pendingSignIn()` find it, the pending
   * sign-in first if the request names one. A session that is renewed keeps its id. Null for a visitor.
   *
   * @throws SessionUnavailable, AdapterError, and errors of the store.
   */
  requester(): Promise<string | null>;
  /**
   * For `authorize`, before it looks for the last time whether a proof still counts: if all sessions of the user end from then on, for
   * example because the password was changed, this sign-in is refused, also while it waits for another proof.
   *
   * @throws errors of the store.
   */
  watchSessions(userId: string): Promise<void>;
}
