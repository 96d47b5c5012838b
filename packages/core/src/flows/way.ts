import type { AdapterUser } from "../model/adapter.ts";
import type { ActionContext, BodyFields, FlowContext } from "../model/context.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import type { RequestedParams } from "../protocol/authorization-params.ts";
import type { Identity } from "../users/identity.ts";
import type { ResolvedUser, UnprovenUser } from "../users/resolved-user.ts";

/** A sign-in request, from a visitor or from server code. */
export interface SignInStart {
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
  /** What a form sent, or server code in place of one. */
  readonly fields: BodyFields;
  /** Additional authorization parameters, and their origin. */
  readonly requested: RequestedParams;
  /** The request as application code gets it; its body can be read. */
  readonly request: () => Request;
}

/** What a request to the provider callback came to: an identity, or an answer that comes before one. */
export type Finished<I extends Identity = Identity> =
  | Proven<I>
  | { readonly kind: "answer"; readonly result: AuthResult };

/** An identity, and what belongs to the ceremony that proved it. */
export interface Proven<I extends Identity> {
  readonly kind: "proven";
  readonly identity: I;
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
  /** Called once the user is signed in. */
  readonly succeeded?: () => Promise<void>;
  /** Called when the sign-in could not be completed. */
  readonly failed?: (error: unknown) => Promise<void>;
}

/** The kinds of provider. */
export type Kind = ResolvedProvider["kind"];

/** The providers of one kind. */
export type ProviderOf<K extends Kind> = Extract<ResolvedProvider, { kind: K }>;

/** What providers of one kind prove. */
export type IdentityOf<K extends Kind> = Extract<Identity, { kind: K }>;

/** One way to sign in. */
export interface Way<K extends Kind> {
  /** Starts the ceremony. Returns where to send the browser; null where there is nothing to start before the proof. */
  readonly start: (context: FlowContext, provider: ProviderOf<K>, start: SignInStart) => Promise<string | null>;
  /** The only method that the provider callback answers; null for GET and POST. */
  readonly method: (context: FlowContext, provider: ProviderOf<K>) => "GET" | "POST" | null;
  /** Finishes the ceremony at the provider callback. */
  readonly finish: (context: ActionContext, provider: ProviderOf<K>) => Promise<Finished<IdentityOf<K>>>;
  /** The user whom the identity belongs to already. Only with a database; writes nothing. */
  readonly findUser: (context: FlowContext, identity: IdentityOf<K>) => Promise<AdapterUser | null>;
  /** Finds or creates the user, given the one whom `findUser` found. Only with a database. */
  readonly resolveUser: (
    context: FlowContext,
    identity: IdentityOf<K>,
    known: AdapterUser | null,
  ) => Promise<ResolvedUser | UnprovenUser>;
}
