import type { Adapter } from "@cardea/core/adapters";
import type { AuthenticatorRow, Model } from "./models-of.ts";
import { toAuthenticator } from "./to-records.ts";
import { ifThere, onlyColumns, ownId, requireText, withOwnId, withoutUndefined } from "./write-rows.ts";

/** Columns that tables made for Auth.js lack. */
const OF_NAMES = ["name", "createdAt", "usedAt"] as const;

/** Passkeys and security keys. */
export function authenticatorMethods(authenticators: Model<AuthenticatorRow>) {
  const isNamed = OF_NAMES.every((name) => name in authenticators.fields);
  const byId = (credentialID: string) => ({ credentialID: requireText(credentialID, "credentialID") });
  return {
    async createAuthenticator(authenticator) {
      return toAuthenticator(
        await authenticators.create({ data: withOwnId(withoutUndefined(authenticator), authenticators) }),
      );
    },
    async getAuthenticator(credentialID) {
      const row = await authenticators.findUnique({ where: byId(credentialID) });
      // By default, MySQL also finds ids that differ in case.
      return row?.credentialID === credentialID ? toAuthenticator(row) : null;
    },
    async listAuthenticatorsByUserId(userId) {
      const rows = await authenticators.findMany({ where: { userId: ownId(authenticators, "userId", userId) } });
      return rows.map(toAuthenticator);
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      // The counter never decreases, even if two sign-ins overtake each other.
      await authenticators.updateMany({
        where: { ...byId(credentialID), counter: { lt: counter } },
        data: { counter },
      });
      // An update of nothing reads the row, and rejects if there is none (P2025).
      return toAuthenticator(await authenticators.update({ where: byId(credentialID), data: {} }));
    },
    ...(isNamed && {
      async updateAuthenticator({ credentialID, ...change }) {
        const data = onlyColumns(change, authenticators);
        const row = await ifThere(authenticators.update({ where: byId(credentialID), data }));
        return row && toAuthenticator(row);
      },
    }),
  } satisfies Adapter;
}
