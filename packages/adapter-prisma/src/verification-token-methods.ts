import type { Adapter, VerificationToken } from "@cardea/core/adapters";
import type { Model } from "./models-of.ts";
import { requireText, withoutUndefined } from "./write-rows.ts";

/** Pending e-mail sign-ins. */
export function verificationTokenMethods(tokens: Model<VerificationToken>) {
  return {
    async createVerificationToken(token) {
      return toRecord(await tokens.create({ data: withoutUndefined(token) }));
    },
    /**
     * 1. Reads the row, and requires that identifier and token match exactly.
     * 2. Deletes it. Of several callers that have read it, one deletes it, and only that one has consumed the token:
     *    `delete()` would succeed for more than one of them on MariaDB, where Prisma reads the row before it deletes it.
     */
    async useVerificationToken(params) {
      const identifier = requireText(params.identifier, "identifier");
      const token = requireText(params.token, "token");
      const row = await tokens.findUnique({ where: { [tokens.key]: { identifier, token } } });
      if (row?.identifier !== identifier || row.token !== token) return null;
      const { count } = await tokens.deleteMany({ where: { identifier, token } });
      return count === 1 ? toRecord(row) : null;
    },
  } satisfies Adapter;
}

/** The record without the database's own columns: in MongoDB the table needs an id. */
function toRecord({ identifier, token, expires }: VerificationToken): VerificationToken {
  return { identifier, token, expires };
}
