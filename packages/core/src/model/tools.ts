import type { Adapter, AdapterMethod, AdapterResult, AdapterUser } from "./adapter.ts";
import type { AddedFacts, EndOfSessions } from "./added-facts.ts";
import type { LoggerInstance } from "./logger-instance.ts";
import type { Markup } from "./markup.ts";
import type { ProviderTools } from "./provider-tools.ts";
import type { SecurityFactBody } from "./security-fact.ts";
import type { SessionInfo, SessionInfoPatch } from "./session-info.ts";
import type { Store } from "./store.ts";
import type { EpochSeconds, Seconds } from "./units.ts";
import type { GivenProof, ProofChallenge, ProofForm, ProofRequest } from "./user-proof.ts";

/** What an extension works with outside of a request, such as in a function that server code calls. */
export interface Tools {
  /** Identity of the application. State that an extension keeps in memory belongs to it, not to the configuration object. */
  readonly application: object;
  /** The extension as `defineExtension()` made it: settings can be found by it. */
  readonly extension: object;
  readonly now: () => EpochSeconds;
  /** Keeps the secrets of the application out of the log. */
  readonly logger: LoggerInstance;
  readonly strategy: "jwt" | "database";
  /** The longest time that a session may live without being renewed. */
  readonly sessionLife: Seconds;
  /** The shared store, whose calls reject within two seconds; undefined where none is configured. */
  readonly store: Store | undefined;
  /**
   * A key for {@link Tools.store} that shows nothing of what it is about: `cardea:<extension>:<HMAC>`. For addresses, IP addresses and
   * everything else that can be guessed. It is made with the oldest configured secret, so that it survives the first half of a rotation.
   */
  key(...about: readonly string[]): Promise<string>;
  /** As {@link Tools.key}, by SHA-256 without a secret: for ids, and for entries that have to survive every rotation. */
  permanentKey(...about: readonly string[]): Promise<string>;
  /** The path of the actions, as the browser sees it. */
  readonly basePath: string;
  /** Whether another extension is configured. */
  hasExtension(id: string): boolean;
  /** Whether the adapter has all of these methods. */
  adapterHas(...methods: readonly AdapterMethod[]): boolean;
  /**
   * Calls a method of the adapter, with a time limit; what it returns is checked.
   *
   * @throws AdapterError.
   */
  callAdapter<M extends AdapterMethod>(
    method: M,
    ...args: Parameters<NonNullable<Adapter[M]>>
  ): Promise<AdapterResult<M>>;
  /**
   * The user with an e-mail address. A database may compare text loosely: a user with another address is not returned.
   *
   * @throws AdapterError.
   */
  findUserByAddress(address: string): Promise<AdapterUser | null>;
  /** SHA-256 of a text in base64url. */
  digest(text: string): Promise<string>;
  /** 128 random bits in base64url. */
  randomId(): string;
  /** Seals text values with the application's secrets. What was sealed for one extension or use never opens as another. */
  seal(value: Readonly<Record<string, string>>, use: string, lifetime: Seconds): Promise<string>;
  /** Opens what {@link Tools.seal} made; null when it is not ours, too old, or of another use. Never throws. */
  open(sealed: string, use: string): Promise<Readonly<Record<string, string>> | null>;
  /** Ids of the configured OAuth 2 and OpenID Connect providers. */
  readonly providers: readonly string[];
  /** A configured OAuth 2 or OpenID Connect provider; null for any other id. What it needs is loaded when it is called. */
  provider(id: string): Promise<ProviderTools | null>;
  /**
   * Ends every session of a user, or all but one, by the extensions that can (`endSessions`); without one, the records of database
   * sessions are deleted, the spared one's too.
   *
   * @returns the facts with which the spared session is re-issued, so that it goes on.
   * @throws what the extensions, the adapter or the store throw.
   */
  endSessions(userId: string, end: EndOfSessions): Promise<AddedFacts>;
  /**
   * Voids the sign-ins of a user that wait for a further proof, in every browser. Call it before the sessions of the user end, or a
   * sign-in that goes on in between outlives them.
   *
   * @throws what the store throws.
   */
  endPendingSignIns(userId: string): Promise<void>;
  /** Tells every extension's `observe`. */
  note(fact: SecurityFactBody): void;
  /**
   * The recorded sessions of a user, those that have expired excepted. Sessions are recorded where an extension `needs.sessionInfo`.
   *
   * @throws AdapterError, or what the store throws.
   */
  listSessions(userId: string): Promise<readonly SessionInfo[]>;
  /**
   * Changes the record of a session; null where there is none.
   *
   * @throws AdapterError, or what the store throws.
   */
  updateSession(sid: string, patch: SessionInfoPatch): Promise<SessionInfo | null>;
  /** Removes the records of a user. The sessions are not ended by it. */
  forgetSessions(userId: string): Promise<void>;
}

/** Sealed cookies of an extension, which are named `cardea.<name>`. */
export interface SealedCookies {
  /** What the browser sent under this name; null when there is none that opens. */
  read(name: string): Promise<Readonly<Record<string, string>> | null>;
  write(name: string, value: Readonly<Record<string, string>>, lifetime: Seconds): Promise<void>;
  clear(name: string): void;
}

/** Asks a user who is known for one of their passkeys. */
export interface PasskeyTools {
  /**
   * Makes a challenge that only a passkey of this user answers. Writes nothing.
   *
   * @returns the JSON for the page's script; null if the user has no passkey.
   * @throws WebAuthnVerificationError, AdapterError.
   */
  challenge(request: ProofRequest): Promise<PasskeyQuestion | null>;
  /**
   * Verifies what the script posted. Each answer counts once, and only for the extension that asked.
   *
   * @throws InvalidRequest, WebAuthnVerificationError; AdapterError, and then nothing is proven.
   */
  verify(request: ProofRequest, body: ReadonlyMap<string, unknown>): Promise<GivenProof>;
  /** The form for a page with `passkeys: true`. */
  form(form: ProofForm): Markup;
}

/** What the page's script is given. */
export interface PasskeyQuestion extends ProofChallenge {
  readonly action: "authenticate";
  /** Id of the provider. */
  readonly provider: string;
}

/** What an extension works with during a request. */
export interface RequestTools extends Tools {
  /** The origin that the browser sees. */
  readonly origin: string;
  /** Whether the origin is configured by `AUTH_URL`, or the application is not in production: only then it may name a relying party. */
  readonly isOriginCertain: boolean;
  /** Where the actions live: `origin` and the base path. */
  readonly baseUrl: string;
  /** Proof of a known user by a passkey; null where no provider offers it. */
  readonly passkeys: PasskeyTools | null;
  /** The headers of the request; `cookie` lacks the cookies that a session may come in. */
  readonly headers: Pick<Headers, "get">;
  readonly cookies: SealedCookies;
}
