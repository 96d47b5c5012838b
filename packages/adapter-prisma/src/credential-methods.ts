import type { Adapter, AdapterCredential } from "@cardea/core/adapters";
import type { CredentialRow, Model } from "./models-of.ts";
import { ownId, requireText, withOwnId, withoutUndefined } from "./write-rows.ts";

/** Passwords and second factors. */
export function credentialMethods(credentials: Model<CredentialRow>) {
  return {
    async createCredential({ state, ...credential }) {
      // A user has one password: its id is the user's id, so that the table rejects a second one.
      const isPassword = credential.type === "password";
      const id = isPassword ? `password:${ownId(credentials, "userId", credential.userId)}` : crypto.randomUUID();
      const data = {
        ...withOwnId(withoutUndefined(credential), credentials),
        id,
        state: JSON.stringify(state ?? null),
        version: 0,
      };
      return parseCredential(await credentials.create({ data }));
    },
    async listCredentialsByUserId(userId) {
      const rows = await credentials.findMany({ where: { userId: ownId(credentials, "userId", userId) } });
      return rows.map(parseCredential);
    },
    async updateCredential({ id, version, state, ...changes }) {
      const where = { id: requireText(id, "id"), version: requireVersion(version) };
      const text = state === undefined ? undefined : JSON.stringify(state);
      const data = { ...withoutUndefined({ ...changes, state: text }), version: version + 1 };
      const { count } = await credentials.updateMany({ where, data });
      const row = count === 1 ? await credentials.findUnique({ where: { id } }) : null;
      return row && parseCredential(row);
    },
    async deleteCredential(id) {
      await credentials.deleteMany({ where: { id: requireText(id, "id") } });
    },
  } satisfies Adapter;
}

/** In Prisma's `where`, `undefined` would match every version. */
function requireVersion(version: number): number {
  if (Number.isSafeInteger(version)) return version;
  throw new TypeError(`version must be an integer, not ${typeof version}.`);
}

function parseCredential({ state, ...row }: CredentialRow): AdapterCredential {
  return { ...row, state: state === null ? null : JSON.parse(state) };
}
