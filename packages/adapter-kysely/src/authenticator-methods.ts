import type { Adapter } from "@cardea/core/adapters";
import type { Tables } from "./tables.ts";

/**
 * Passkeys and security keys.
 *
 * @param isNamed whether the table has the columns for names and times.
 */
export function authenticatorMethods({ authenticators }: Tables, isNamed: boolean) {
  return {
    async createAuthenticator(authenticator) {
      await authenticators.insert(authenticator);
      return authenticator;
    },
    getAuthenticator: (credentialID) => authenticators.find({ credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    async updateAuthenticatorCounter(credentialID, counter) {
      // The counter never decreases, even if two sign-ins overtake each other.
      const row = await authenticators.updateAndRead({ credentialID }, (builder) => ({
        counter: builder.case().when("counter", "<", counter).then(counter).else(builder.ref("counter")).end(),
      }));
      if (row !== null) return row;
      throw new Error(`No authenticator with the credential id ${JSON.stringify(credentialID)} exists.`);
    },
    ...(isNamed && {
      updateAuthenticator: ({ credentialID, ...change }) => authenticators.updateAndRead({ credentialID }, change),
    }),
  } satisfies Adapter;
}
