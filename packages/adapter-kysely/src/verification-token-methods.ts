import type { Adapter, VerificationToken } from "@cardea/core/adapters";
import type { Tables } from "./tables.ts";

/** Pending e-mail sign-ins. */
export function verificationTokenMethods({ verificationTokens }: Tables) {
  return {
    async createVerificationToken(token) {
      await verificationTokens.insert(token);
      return token;
    },
    async useVerificationToken({ identifier, token }) {
      const row = await verificationTokens.take({ identifier, token });
      return row && toRecord(row);
    },
  } satisfies Adapter;
}

/** The record without the application's own columns. */
function toRecord({ identifier, token, expires }: VerificationToken): VerificationToken {
  return { identifier, token, expires };
}
