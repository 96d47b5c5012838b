import type { AdapterUser } from "./adapter.ts";
import type { AuthError } from "./errors.ts";
import type { Account, Authenticator, User } from "./records.ts";
import type { PageTexts } from "./texts.ts";
import type { CredentialInput, Markup, ProviderStyle } from "./theme.ts";
import type { RequestTools } from "./tools.ts";
import type { Seconds } from "./units.ts";
import type { GivenProof, ProofChallenge, ProofForm, ProofRequest } from "./user-proof.ts";

/**
 * A sign-in method that an extension brings, usually the one that a provider object carries
 * (docs/extensions.md#a-sign-in-method).
 */
export interface SignInMethodSpec {
  /** The type of the provider objects that use it. It belongs to this method alone. */
  readonly type: "webauthn";
  /** The members of the provider object, for warnings about misspelled ones. */
  readonly members: readonly string[];
  /** Validates a provider object at startup, and fills in defaults. */
  resolve(provider: object): MethodResolution;
  /** Validates all providers of this method together, at startup. */
  findProblems(providers: readonly MethodProvider[]): readonly ProviderProblem[];
  /** Starts the sign-in. Returns the JSON for the page's script. Writes nothing. */
  start(query: URLSearchParams, t: SignInTools): Promise<object>;
  /** Validates what the browser sent to the provider callback. Writes nothing except to prevent replays. */
  finish(body: ReadonlyMap<string, unknown>, t: SignInTools): Promise<SignInProof>;
  /** Restores the proof of a pending sign-in; null if it is no longer valid. */
  revive(proof: SignInProof, t: SignInTools): Promise<SignInProof | null>;
  /** Its part of the built-in sign-in page. */
  form(form: SignInForm): Markup;
  /** The script of that part. Its content must match `integrity` (SRI §3.1). */
  readonly script: { readonly integrity: string; load(): Promise<string> };
  /** Proves a known user outside of a sign-in. Absent: other extensions cannot use this method. */
  readonly prove?: MethodProver;
}

/** Proves a known user for other extensions, for example as a second factor or confirmation. */
export interface MethodProver {
  /**
   * Creates a challenge for this user. Writes nothing.
   *
   * @returns null if the user has no matching credential.
   */
  challenge(provider: MethodProvider, request: ProofRequest, t: RequestTools): Promise<ProofChallenge | null>;
  /**
   * Verifies a response. Each response is accepted once.
   *
   * @param state State of the challenge.
   * @param answer Response of the browser.
   */
  verify(
    provider: MethodProvider,
    request: ProofRequest,
    state: string,
    answer: unknown,
    t: RequestTools,
  ): Promise<GivenProof>;
  /** Renders the form for the method's script. */
  form(form: ProofForm): Markup;
}

/** One problem of a provider object. */
export interface ProviderProblem {
  /** The member of the provider object; absent if it concerns several providers. */
  readonly member?: string;
  /** The requirement, as a continuation of the member's name. */
  readonly message: string;
  /** Creates the error that is thrown if this is the only problem; default `InvalidConfiguration`. */
  readonly error?: (message: string) => AuthError;
}

/** The result of checking a provider object. */
export type MethodResolution =
  | { readonly problems: readonly ProviderProblem[] }
  | {
      readonly name: string;
      /** Fields of the form on the sign-in page. */
      readonly fields: Readonly<Record<string, CredentialInput>>;
      /** Whether browsers may offer this method in every user name field of the page. */
      readonly autofill: boolean;
      /** Maximum age of the sign-in when an account is added; undefined: as long as the session lasts. */
      readonly maxSignInAge: Seconds | undefined;
      /** Values that must never be logged. */
      readonly secrets: readonly (string | undefined)[];
      readonly style: ProviderStyle;
    };

/** A resolved provider with such a sign-in method. */
export interface MethodProvider {
  /** The provider's id in this configuration. */
  readonly id: string;
  /** Fields of its form on the sign-in page, by name. */
  readonly fields: Readonly<Record<string, CredentialInput>>;
  /** Whether browsers may offer this method in every user name field of the page. */
  readonly autofill: boolean;
  /** The provider object, validated by `resolve`. */
  readonly source: object;
}

/** A proven identity; nothing has been written. Plain data, because a pending sign-in may be stored. */
export interface SignInProof {
  /** The members of the user that the proof established, such as `email`. */
  readonly user: User;
  /** The account that identifies the user; `providerAccountId` is unique for the provider. */
  readonly account: Account;
  /**
   * Whether the authenticator verified its user, by PIN or biometrics. Only with `true` does the proof count as two
   * factors, with the session method `passkey`; otherwise the method is `pop`.
   */
  readonly userVerified?: boolean;
  /** The passkey, from which core decides who signs in and what is stored. */
  readonly details: KnownPasskey | NewPasskey;
}

/** A registered passkey that was used. The user of its proof is its owner, as the database has them. */
export interface KnownPasskey {
  /** An authentication. */
  readonly ceremony: "authenticate";
  /** The id under which it is stored. */
  readonly credentialID: string;
  /** Id of the signed-in user; null if there is none. */
  readonly signedInAs: string | null;
  /** The authenticator's counter; stored after everything else has succeeded. */
  readonly counter: number;
  /** Whether the passkey is backed up now (BS); stored with the counter if the adapter has `updateAuthenticator`. */
  readonly backedUp: boolean;
}

/** A passkey that is being registered. */
export interface NewPasskey {
  /** A registration. */
  readonly ceremony: "register";
  /** What is stored of it, with its user. */
  readonly authenticator: Omit<Authenticator, "userId">;
  /** The signed-in user, in the session that started the registration: the passkey is added to them. */
  readonly addTo: AdapterUser | null;
  /** Fingerprint of that session; empty if no one is signed in. */
  readonly session: string;
}

/** The content of the form on the sign-in page. */
export interface SignInForm {
  /** URL that returns the result of `start`; `action` and the fields are added to its query. */
  readonly options: string;
  /** Fields to render, by name. */
  readonly fields: MethodProvider["fields"];
  /** Whether browsers may offer this method in a user name field. */
  readonly autofill: boolean;
  /**
   * The step of the page: `whole` shows the complete form. A page with several methods first asks for the address in a field of its own,
   * `address`, where the form has no fields and does not create accounts, and then shows the methods, `method`, with the address filled in.
   */
  readonly step: "whole" | "address" | "method";
  /** Unique on the page. */
  readonly index: number;
  /** Texts of the page in its language. */
  readonly texts: PageTexts;
  /** Renders one field. */
  field(name: string, input: CredentialInput, describedBy: string): Markup;
  /** Renders a form to the provider callback. */
  wrap(content: Markup): Markup;
}

/** Encrypted cookies of pending sign-ins, each found by the secret in its response. */
export interface PendingCookies {
  /** Stores a value for at most fifteen minutes. */
  store(secret: string, value: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Clears the cookie and returns its content; null if there is none for this provider. If the browser has none for the
   * secret, all of them are cleared.
   */
  take(secret: string): Promise<Readonly<Record<string, string>> | null>;
}

/** The tools of a sign-in method. */
export interface SignInTools extends RequestTools {
  /** The provider that carries the method. */
  readonly carrier: MethodProvider;
  /**
   * Calls a function of the provider object, which is application code. Its second parameter is `request`, with the
   * members `headers` and `cookies`, including the session's. Both are empty after the proof was given.
   *
   * @throws TypeError if the provider object has no such function; errors of the function.
   */
  callHook(name: string, facts: object, request: object): unknown;
  /** Values stored in the browser from `start` to `finish`, such as a challenge. */
  readonly pending: PendingCookies;
  /** Registers a value for redaction in the log. */
  redact(secret: string): void;
  /** HMAC-SHA-512 of a text, with the oldest secret of the application or another one: 64 bytes. */
  mac(text: string, secret?: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The signed-in user, and the fingerprint of the session, which identifies the session but cannot be used as its
   * token.
   */
  signedIn(): Promise<{ readonly userId: string; readonly fingerprint: string } | null>;
  /** Whether a user signed in recently enough to add an account, by the smallest `maxSignInAge` of all providers (ASVS 7.5.1). */
  isSignInRecent(userId: string): Promise<boolean>;
  /**
   * Whether every extension lets the session add a sign-in method of this kind to its user. Ask at the start: it is asked again before
   * anything is written.
   */
  mayAdd(userId: string): Promise<boolean>;
}

/** Type brand: only `defineSignInMethod()` returns objects of this type. */
declare const defined: unique symbol;

/** A sign-in method created by `defineSignInMethod()`. */
export interface SignInMethodDefinition extends SignInMethodSpec {
  /** Set by `defineSignInMethod()`; object literals are not accepted. */
  readonly [defined]: true;
}

/** Makes a definition the method that core uses. Each definition brings it, so that an application without one has none of it. */
export const TO_METHOD: unique symbol = Symbol.for("cardea.sign-in-method");
