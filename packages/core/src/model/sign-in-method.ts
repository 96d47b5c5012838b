import type { Attempt } from "./attempt.ts";
import type { SignInContext } from "./callbacks.ts";
import type { AddedMethod } from "./candidate.ts";
import type { Undo } from "./changes.ts";
import type { ActionContext, BodyFields, FlowContext } from "./context.ts";
import type { AuthError } from "./errors.ts";
import type { Choice, Identity } from "./identity.ts";
import type { Account, Profile } from "./records.ts";
import type { ResolvedProvider } from "./resolved-provider.ts";
import type { AuthResult, SignInOption } from "./result.ts";
import type { AddedFacts, Factor, SessionOrigin } from "./session-facts.ts";
import type { ProviderProblem } from "./sign-in-method-spec.ts";

/**
 * A sign-in method: a part of core that an entry point brings, or one that an extension brings. It is found by the `type` of a provider
 * object. It proves who someone is at a provider, and decides nothing about users.
 */
export interface SignInMethod<P extends ResolvedProvider = ResolvedProvider> {
  /** Types of the provider objects that use this method. */
  readonly types: readonly string[];
  /** Members of such a provider object, for warnings about misspelled ones. */
  readonly members: readonly string[];
  /** Checks a provider object at startup, and fills in defaults. */
  resolve(given: GivenProvider): ProviderResolution<P>;
  /** Checks all providers of the method together, at startup. */
  findProblems?(providers: readonly P[]): readonly ProviderProblem[];
  /** Its part of the built-in sign-in page. */
  form(context: ActionContext, provider: P): SignInOption;
  /** Its own actions. */
  readonly actions?: ActionHandlers;
  /** Loads what signs in; called with the first request for it. */
  load(): Promise<LoadedMethod<P>>;
}

/** The code of an action. */
export interface ActionHandler {
  /** Reads the context, returns data. */
  readonly run: (context: ActionContext) => Promise<AuthResult>;
  /** The response if the CSRF token is missing or stale; default: a redirect to the sign-in page. */
  readonly stale?: (context: ActionContext) => Promise<AuthResult | null>;
}

/** The code of actions that a part brings, by their names in `actions/routes.ts`, which has their security properties. */
export type ActionHandlers = Readonly<Record<string, ActionHandler>>;

/** What signs in. */
export interface LoadedMethod<P extends ResolvedProvider = ResolvedProvider> {
  /** Starts the sign-in. Returns where to redirect the browser. Absent: the sign-in page has the form, or a script, that starts it. */
  start?(context: FlowContext, provider: P, start: SignInStart): Promise<string>;
  /** Proves the identity from fields that server code has. Absent: only a browser can. */
  prove?(context: FlowContext, provider: P, start: SignInStart): Promise<Proven>;
  /** The only HTTP method that the provider callback accepts; null for GET and POST. */
  method(context: ActionContext, provider: P): "GET" | "POST" | null;
  /** The secret that a request to the callback returns, and by which its pending cookie is found; absent or null if there is none. */
  secret?(context: ActionContext, provider: P): Promise<string | null>;
  /** Proves the identity at the provider callback. What it uses up goes onto the list, to be given back if the sign-in fails. */
  finish(context: ActionContext, provider: P, undo: Undo[]): Promise<Finished>;
  /** The response to a callback whose form was open for too long; absent or null: the sign-in page. */
  finishStale?(context: ActionContext, provider: P): Promise<AuthResult | null>;
  /** What its sign-in proves, by the name that {@link Factor} has for it, and the account at a provider that the session comes from. */
  proof(given: {
    readonly account: Account;
    readonly idToken?: Profile | undefined;
    readonly userVerified?: boolean | undefined;
  }): { readonly method: Factor[0]; readonly idp?: SessionOrigin };
  /** What it adds to the user of a session; absent: an account. */
  readonly adds?: AddedMethod;
  /** The identity as it is after its sign-in waited; null if it counts no longer. Absent: it is unchanged. */
  revive?(context: FlowContext, provider: P, identity: Identity): Promise<Identity | null>;
}

/** A sign-in request, from a visitor or from server code. */
export interface SignInStart {
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
  /** The fields of a form, or those given by server code. */
  readonly fields: BodyFields;
  /** Additional authorization parameters, and their origin. */
  readonly requested: RequestedParams;
  /** The application's own data, only from server code; undefined if there is none. */
  readonly context?: SignInContext | undefined;
  /** Whether the owner of an address wants a new user; see `ClaimedIdentity.startedFor`, whose mark is among the fields. */
  readonly startsFresh?: boolean | undefined;
  /** The answer of the page `confirm-account`; undefined for any other start. */
  readonly choice?: Choice | undefined;
  /** Data that an extension encrypts into a re-authentication; undefined for a sign-in. */
  readonly reauthentication?: string | undefined;
  /** The request for application code, with a readable body. */
  readonly request: () => Request;
}

/** Parameters requested for a sign-in, and their origin. */
export interface RequestedParams {
  /** `visitor`: the query of a request, which anyone can write. `server`: the application's own code. */
  readonly by: "visitor" | "server";
  /** Names and values, in order. */
  readonly params: Iterable<readonly [string, string]>;
}

/** The result of a request to the provider callback: an identity, or an earlier response. */
export type Finished<I extends Identity = Identity> = Proven<I> | Answered;

/** A request that was answered without a sign-in. */
export interface Answered {
  readonly result: AuthResult;
}

/** A proven identity, as a sign-in method hands it over. */
export interface Proven<I extends Identity = Identity> {
  readonly identity: I;
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
  /** The attempt that the extensions allowed, and whose result they are told; undefined without extensions. */
  readonly attempt?: Attempt | undefined;
  /** How far the sign-in was when an extension interrupted it; absent if none has. */
  readonly interrupted?: Interrupted;
}

/** How far a sign-in was when an extension interrupted it. `callbacks.signIn` has already allowed it, and is not called again. */
interface Interrupted {
  readonly userId: string | undefined;
  /** Whether an account or passkey would be added to the user. */
  readonly adds: boolean;
  /** Whether the sign-in created the user before. */
  readonly isNewUser: boolean;
  /** The collected proofs and other facts from extensions. */
  readonly facts: AddedFacts;
}

/** A provider object as it is configured. Its id is valid; its other members are not checked. */
export interface GivenProvider {
  /** Unique in the configuration. */
  readonly id: string;
  /** The provider object; its `options` override the other members. */
  readonly members: Readonly<Record<PropertyKey, unknown>>;
  /** The same object, completed by the settings of the environment. */
  readonly complete: Readonly<Record<PropertyKey, unknown>>;
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
}

/** The result of resolving a provider object. */
export type ProviderResolution<P extends ResolvedProvider = ResolvedProvider> =
  | { readonly problems: readonly ProviderProblem[] }
  | {
      readonly provider: P;
      readonly warnings: readonly string[];
      /** Values that must never be logged. */
      readonly secrets: readonly (string | undefined)[];
    };

/** One configuration problem; all are reported together. */
export interface Problem {
  /** The option, such as `session.maxAge`. */
  readonly option: string;
  /** What the option must be; never a configured value that could be a secret. */
  readonly message: string;
  /** Creates the error that is thrown if this is the only problem; default `InvalidConfiguration`. */
  readonly error?: (message: string) => AuthError;
}
