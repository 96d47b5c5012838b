import type { AdapterUser } from "../model/adapter.ts";
import type { User } from "../model/records.ts";
import type { Identity } from "./identity.ts";

/** The user of a finished sign-in, and whether the sign-in made them. */
export interface ResolvedUser {
  readonly user: User | AdapterUser;
  readonly isNewUser: boolean;
}

/**
 * Finds the user who an identity belongs to. Without a database the identity is the user, under the id that the provider
 * gave, so that `token.sub` is the same at each sign-in.
 */
export async function resolveUser(identity: Identity): Promise<ResolvedUser> {
  return { user: identity.user, isNewUser: false };
}
