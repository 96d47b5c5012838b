import type { AdapterUser } from "./adapter.ts";
import type { AuthError } from "./errors.ts";
import type { Markup } from "./markup.ts";
import type { CredentialInput, ProviderStyle } from "./provider-look.ts";
import type { Account, Authenticator, User } from "./records.ts";
import type { PageTexts } from "./texts.ts";
import type { RequestTools } from "./tools.ts";
import type { Seconds } from "./units.ts";
import type { GivenProof, ProofChallenge, ProofForm, ProofRequest } from "./user-proof.ts";

/** A way to sign in that a provider object brings with its extension (docs/extensions.md#a-way-to-sign-in). */
export interface SignInWaySpec {
  /** The members of the provider object, for warnings about misspelled ones. */
  readonly members: readonly string[];
  /** Checks a provider object at start, and completes it. */
  resolve(provider: object): SignInWayResolution;
  /** Checks all providers of this way together, at start. */
  findProblems(providers: readonly SignInWayProvider[]): readonly SignInWayProblem[];
  /** Starts: the JSON that the page's script works with. Writes nothing. */
  start(query: URLSearchParams, t: SignInTools): Promise<object>;
  /** Checks what the browser sent to the provider callback. Writes nothing but what makes it count once. */
  finish(body: ReadonlyMap<string, unknown>, t: SignInTools): Promise<SignInProof>;
  /** The user to whom the account already belongs. Writes nothing. */
  findUser(proof: SignInProof, t: SignInTools): Promise<AdapterUser | null>;
  /**
   * Decides who the user is. Called again after every extension admitted them. Writes nothing.
   *
   * @throws AccountNotLinked if the policy denies it.
   */
  decideUser(proof: SignInProof, t: SignInTools): Promise<SignInDecision>;
  /** The proof as it is now, after the sign-in waited for a further proof; null if it counts no longer. */
  revive(proof: SignInProof, t: SignInTools): Promise<SignInProof | null>;
  /** Its part of the built-in sign-in page. */
  form(form: SignInForm): Markup;
  /** The script of that part. Its bytes are those that `integrity` (SRI §3.1) names. */
  readonly script: { readonly integrity: string; load(): Promise<string> };
  /** Proof of a known user beside the sign-in. Absent: other extensions cannot ask for this way. */
  readonly prove?: WayProver;
}

/** How a way proves a user who is known already, for extensions that ask for it: a second factor, a confirmation. */
export interface WayProver {
  /**
   * Makes a challenge that only this user answers. Writes nothing.
   *
   * @returns null if the user has nothing to answer it with.
   */
  challenge(provider: SignInWayProvider, request: ProofRequest, t: RequestTools): Promise<ProofChallenge | null>;
  /**
   * Verifies an answer. Each counts once.
   *
   * @param state of the challenge.
   * @param answer what the browser sent.
   */
  verify(
    provider: SignInWayProvider,
    request: ProofRequest,
    state: string,
    answer: unknown,
    t: RequestTools,
  ): Promise<GivenProof>;
  /** The form of a page, for the way's script. */
  form(form: ProofForm): Markup;
}

/** One problem of a provider object. */
export interface SignInWayProblem {
  /** The member of the provider object; absent if it concerns several providers. */
  readonly member?: string;
  /** What it must be, to be read after the member's name. */
  readonly message: string;
  /** Creates the error that is thrown if this is the only problem; default `InvalidConfiguration`. */
  readonly error?: (message: string) => AuthError;
}

/** The result of checking a provider object. */
export type SignInWayResolution =
  | { readonly problems: readonly SignInWayProblem[] }
  | {
      readonly name: string;
      /** Fields of the form on the sign-in page. */
      readonly fields: Readonly<Record<string, CredentialInput>>;
      /** Whether browsers may offer this way in every user name field of the page. */
      readonly autofill: boolean;
      /** How recent a sign-in must be when an account is added; undefined: as long as the session lasts. */
      readonly maxSignInAge: Seconds | undefined;
      /** Values that never go into a log. */
      readonly secrets: readonly (string | undefined)[];
      readonly style: ProviderStyle;
    };

/** A provider with such a way, resolved. */
export interface SignInWayProvider {
  readonly id: string;
  readonly fields: Readonly<Record<string, CredentialInput>>;
  readonly autofill: boolean;
  /** The provider object, as `resolve` checked it. */
  readonly source: object;
}

/** Who a user proved to be; nothing has been written. Plain data: a sign-in may wait in the store. */
export interface SignInProof {
  readonly user: User;
  readonly account: Account;
  /** Whether the authenticator verified its user, by a PIN or biometrics. Only `true` makes the proof one of two factors: the session's method is `passkey` then, else `pop`. */
  readonly userVerified?: boolean;
  /** What the way itself needs to know later. */
  readonly details: object;
}

/** Who a sign-in belongs to. Only `carryOut` writes. */
export type SignInDecision =
  | {
      readonly kind: "existing";
      readonly user: AdapterUser;
      /** Whether an account would be added to the user. */
      readonly adds?: true;
      carryOut(): Promise<SignedInUser>;
    }
  | { readonly kind: "new"; carryOut(): Promise<SignedInUser> };

/** The user of a completed sign-in. */
export interface SignedInUser {
  readonly user: AdapterUser;
  /** Whether the sign-in created the user. */
  readonly isNewUser: boolean;
  /** True if an account has just been added to the user: it does not count as a sign-in of that user. */
  readonly added?: boolean;
}

/** What the form on the sign-in page is made of. */
export interface SignInForm {
  /** URL of the answer of `start`; `action` and the fields are added to its query. */
  readonly options: string;
  readonly fields: SignInWayProvider["fields"];
  readonly autofill: boolean;
  /** Whether another form of the page asks for an e-mail address. */
  readonly besidesEmail: boolean;
  /** Unique on the page. */
  readonly index: number;
  readonly texts: PageTexts;
  /** Renders one field. */
  field(name: string, input: CredentialInput, describedBy: string): Markup;
  /** Renders a form to the provider callback. */
  wrap(content: Markup): Markup;
}

/** Sealed cookies of pending sign-ins, each found by the secret that comes back with its answer. */
export interface PendingCookies {
  /** Keeps a value for at most fifteen minutes. */
  store(secret: string, value: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Clears the cookie and returns what was in it; null without one of this provider. When the browser has none for the secret, all of
   * them are cleared.
   */
  take(secret: string): Promise<Readonly<Record<string, string>> | null>;
}

/** Users and their accounts. A user without an account would block an e-mail address for its owner. */
export interface AccountTools {
  /**
   * Creates a user with an account; with an authenticator in one transaction, where the adapter can.
   *
   * @throws AccountNotLinked if the address is in use by now, AdapterError.
   */
  create(
    proof: Pick<SignInProof, "user" | "account">,
    authenticator: Omit<Authenticator, "userId">,
  ): Promise<SignedInUser>;
  /** @throws AccountNotLinked if another user linked it first, AdapterError. */
  link(proof: Pick<SignInProof, "user" | "account">, user: AdapterUser): Promise<SignedInUser>;
  /** Announces to the application what was created and linked. */
  announce(): Promise<void>;
}

/** What a way to sign in works with. */
export interface SignInTools extends RequestTools {
  /** The provider that carries the way. */
  readonly carrier: SignInWayProvider;
  /**
   * Calls a function of the provider object, which is application code: its second parameter is `request` with the members `headers`
   * and `cookies`, the session's among them. Both are empty once the proof was given.
   *
   * @throws TypeError if the provider object has no such function; what the function throws.
   */
  callHook(name: string, facts: object, request: object): unknown;
  readonly pending: PendingCookies;
  /** Keeps a value of this request out of the log. */
  redact(secret: string): void;
  /** HMAC with SHA-512 of a text, by the oldest secret of the application or another one: 64 bytes. */
  mac(text: string, secret?: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Who is signed in, and in which session: its fingerprint tells it from others and cannot be used as its token. */
  signedIn(): Promise<{ readonly userId: string; readonly fingerprint: string } | null>;
  /** Whether a user signed in recently enough to add an account, by the smallest `maxSignInAge` of all providers (ASVS 7.5.1). */
  isSignInRecent(userId: string): Promise<boolean>;
  /** Events are held back until {@link AccountTools.announce}. */
  accounts(): AccountTools;
  /** @throws AccountNotLinked when the user has too many accounts. */
  requireRoom(account: Account, userId: string): Promise<void>;
  /**
   * Confirms that a session still exists after an account was linked; otherwise removes the account.
   *
   * @throws AccountNotLinked, AdapterError.
   */
  requireSameSession(account: Account, userId: string, fingerprint: string): Promise<void>;
}

declare const defined: unique symbol;

/** A way to sign in as `defineSignInWay()` makes it. */
export interface SignInWay extends SignInWaySpec {
  readonly [defined]: true;
}
