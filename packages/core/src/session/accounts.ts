import type { Adapter, AdapterMethod, AdapterResult, AdapterUser, VerificationToken } from "../model/adapter.ts";
import type { Changes, Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { MissingAdapter } from "../model/errors.ts";
import type { ClaimedIdentity, Identity } from "../model/identity.ts";
import type { Account, User } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import type { ActionHandlers } from "../model/sign-in-method.ts";
import type { SessionStrategy } from "./strategy.ts";

/**
 * Users, their accounts and their sessions in a database: a part, which an entry point brings and only an application with an adapter
 * has. Its code is loaded with the first call. One that only reads sessions brings `sessions` and `records` alone. If the database fails,
 * everything rejects with an AdapterError.
 */
export interface Accounts {
  /** Finds users. What a database finds inexactly, such as without regard to case, is not found. */
  readonly find: {
    /** The user who has an account. */
    byAccount(account: Pick<Account, "provider" | "providerAccountId">): Promise<AdapterUser | null>;
    /** @param address in the spelling that was submitted, where it is known. */
    byAddress(address: string): Promise<AdapterUser | null>;
    /** The user to whom an identity already belongs; for a new passkey, to whom it is added. */
    byIdentity(identity: Identity): Promise<AdapterUser | null>;
    /**
     * The identity behind an address: the existing user, or the data of a new one.
     *
     * @param email the address in its stored form.
     * @param given see `byAddress`.
     */
    claim(provider: AddressProvider, email: string, given: string): Promise<ClaimedAddress>;
  };
  /**
   * Decides to whom an identity belongs. Writes nothing; the decision does.
   *
   * @param known the user whom `find.byIdentity` found; undefined if they were not looked up.
   * @throws AccountNotLinked if the identity is rejected.
   */
  decide(context: FlowContext, identity: Identity, known?: AdapterUser | null): Promise<UserDecision>;
  /** The strategy of sessions in the database. */
  sessions(): SessionStrategy;
  /** Verification tokens, authenticators, credentials and all other records: the methods of the adapter. */
  readonly records: {
    /** Calls a method for a limited time. Ids are passed as the adapter returned them; what it returns is parsed. */
    call<M extends AdapterMethod>(name: M, ...args: Parameters<NonNullable<Adapter[M]>>): Promise<AdapterResult<M>>;
    /** Deletes a verification token and returns it to one of several concurrent requests; null if there is none. */
    consume(key: Pick<VerificationToken, "identifier" | "token">): Promise<VerificationToken | null>;
  };
  /** Addresses that were proven in this browser, and wait for the owner's decision about a user who never verified them. */
  readonly addresses: {
    /** The id of the one on whose page a form was sent; undefined for any other form. */
    startedFor(context: FlowContext, fields: { get(name: string): unknown }): Promise<string | undefined>;
    /**
     * Applies what waits to the user of a sign-in, if it is theirs.
     *
     * @returns the user, with the address marked as verified if the two belong together.
     */
    join(context: FlowContext, signIn: JoiningSignIn): Promise<User | AdapterUser>;
    /** Ends what waits, on the server too. Never throws. */
    cancel(context: FlowContext): Promise<void>;
  };
  /** The page on which the owner decides. */
  readonly actions: ActionHandlers;
}

/** An address that is about to be proven. */
export interface ClaimedAddress {
  readonly existing: AdapterUser | null;
  readonly claimed: ClaimedIdentity;
}

/** A sign-in whose user may have a session. */
export interface JoiningSignIn extends ResolvedUser {
  readonly adds: boolean;
  /** The page that started it. */
  readonly startedFor: string | undefined;
  /** Asks whether the session that is about to be issued may add an account. */
  readonly mayAdd: () => Promise<boolean>;
  readonly changes: Changes;
}

/** The accounts of an application with an adapter; undefined without one. */
export function accountsOf({ accounts }: Pick<ResolvedConfig, "accounts">): Accounts | undefined {
  // Its type is that of what the entry point brought, which the model cannot name without a circle.
  return accounts as Accounts | undefined;
}

/** @throws MissingAdapter without an adapter. */
export function requireAccounts(config: Pick<ResolvedConfig, "accounts">): Accounts {
  const accounts = accountsOf(config);
  if (accounts !== undefined) return accounts;
  throw new MissingAdapter("This needs a database: configure an `adapter`.");
}

/** What waits in this browser; undefined if it has sent no cookie of it, so that nothing is loaded for most requests. */
export function addressesOf({ config, received, cookies }: FlowContext): Accounts["addresses"] | undefined {
  return received.has(cookies.address.name) ? accountsOf(config)?.addresses : undefined;
}

/** Whether the configured adapter has all of these methods. */
export function adapterHas(
  { adapter }: Pick<ResolvedConfig, "adapter">,
  ...methods: readonly AdapterMethod[]
): boolean {
  return methods.every((method) => typeof adapter?.[method] === "function");
}

/** The user of a completed sign-in. */
export interface ResolvedUser {
  readonly user: User | AdapterUser;
  /** Whether the sign-in created the user. */
  readonly isNewUser: boolean;
}

/** The user that a sign-in belongs to. Decided from reads only; nothing has been written. */
export type UserDecision =
  | {
      readonly kind: "existing";
      readonly user: User | AdapterUser;
      /** Whether an account or passkey would be added to the user, which does not count as a sign-in of that user. */
      readonly adds: boolean;
      readonly write: Write;
    }
  | { readonly kind: "new"; readonly write: Write }
  | {
      /** A user has the address and never verified it. Its owner must decide first. */
      readonly kind: "unproven";
      /** Stores the proof until then. */
      readonly ask: (callbackUrl: string, undo: Undo[]) => Promise<void>;
    }
  | ({ readonly kind: "whose" } & OtherAccount);

/** An account that is not that of the signed-in user: the browser may be shared, so the user says whose it is. */
export interface OtherAccount {
  /** Its digest. */
  readonly account: string;
  /** Address or name at the provider, to show. */
  readonly label: string;
  /** Whether it belongs to another user already. */
  readonly isKnown: boolean;
  /** The signed-in user, and their session. */
  readonly userId: string;
  readonly fingerprint: string;
}

/** Carries out the decision, adding to the changes what it writes. `changed`: another sign-in was faster, so decide again. */
type Write = (changes: Changes) => Promise<ResolvedUser | "changed">;
