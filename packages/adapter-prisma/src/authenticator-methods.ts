import type { Adapter } from "@cardea/core/adapters";
import type { AuthenticatorRow, Model } from "./parse-models.ts";
import { parseAuthenticator } from "./parse-rows.ts";
import { requireText, withoutUndefined } from "./write-rows.ts";

/** Passkeys and security keys. */
export function authenticatorMethods(authenticators: Model<AuthenticatorRow>) {
  const byId = (credentialID: string) => ({ credentialID: requireText(credentialID, "credentialID") });
  return {
    async createAuthenticator(authenticator) {
      return parseAuthenticator(await authenticators.create({ data: withoutUndefined(authenticator) }));
    },
    async getAuthenticator(credentialID) {
      const row = await authenticators.findUnique({ where: byId(credentialID) });
      // By default, MySQL also finds ids that differ in case.
      return row?.credentialID === credentialID ? parseAuthenticator(row) : null;
    },
    async listAuthenticatorsByUserId(userId) {
      const rows = await authenticators.findMany({ where: { userId: requireText(userId, "userId") } });
      return rows.map(parseAuthenticator);
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      return parseAuthenticator(await authenticators.update({ where: byId(credentialID), data: { counter } }));
    },
  } satisfies Adapter;
}
