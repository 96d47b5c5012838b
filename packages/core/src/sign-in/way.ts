import type { SignInContext } from "../model/callbacks.ts";
import type { Undo } from "../model/changes.ts";
import type { ActionContext, BodyFields, FlowContext } from "../model/context.ts";
import type { Identity } from "../model/identity.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import type { AuthResult } from "../model/result.ts";
import type { RequestedParams } from "../protocol/authorization-params.ts";
import type { Proven } from "./sign-in.ts";

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
  /** Data that an extension encrypts into a re-authentication; undefined for a sign-in. */
  readonly reauthentication?: string | undefined;
  /** The request for application code, with a readable body. */
  readonly request: () => Request;
}

/** The result of a request to the provider callback: an identity, or an earlier response. */
export type Finished<I extends Identity = Identity> = (Proven<I> & { readonly kind: "proven" }) | Answered;

/** A request that was answered without a sign-in. */
export interface Answered {
  readonly kind: "answer";
  readonly result: AuthResult;
}

/** The kinds of provider. */
export type Kind = ResolvedProvider["kind"];

/** The providers of one kind. */
type ProviderOf<K extends Kind> = Extract<ResolvedProvider, { kind: K }>;

/** The identities that providers of one kind prove. */
type IdentityOf<K extends Kind> = Extract<Identity, { kind: K }>;

/** A sign-in method. */
export interface Way<K extends Kind> {
  /** Starts the sign-in. Returns where to redirect the browser; null if there is nothing to start. */
  readonly start: (context: FlowContext, provider: ProviderOf<K>, start: SignInStart) => Promise<string | null>;
  /** The only method that the provider callback accepts; null for GET and POST. */
  readonly method: (context: FlowContext, provider: ProviderOf<K>) => "GET" | "POST" | null;
  /** The secret that a request to the callback returns, and by which its pending cookie is found; null if there is none. */
  readonly secret: (context: ActionContext, provider: ProviderOf<K>) => Promise<string | null>;
  /** Proves the identity at the provider callback. What it uses up goes onto the list, to be given back if the sign-in fails. */
  readonly finish: (context: ActionContext, provider: ProviderOf<K>, undo: Undo[]) => Promise<Finished<IdentityOf<K>>>;
}
