import { type Handled, handleOf, type Tools } from "@cardea/core/extend";
import { findPassword } from "./credential.ts";
import type { Settings } from "./options.ts";
import { settingsOf } from "./settings-of.ts";

/** A hash of a user, made by another library. */
export interface ImportEntry {
  /** Id of the user, who must exist. */
  readonly userId: string;
  /** In one of the formats of `hash` and `accept`. */
  readonly hash: string;
}

/**
 * What came of an import. `stored`; `exists`: the user has a password, which is kept; `format`: no configured format reads the hash;
 * `failed`: the database refused it, such as for an unknown user, which the log says.
 */
export type ImportResult = "stored" | "exists" | "format" | "failed";

/** What server code does with the passwords of any user. It does not ask who calls it. */
export interface PasswordOperations {
  /** Stores the hash of one user, see {@link ImportResult}. */
  import(userId: string, hash: string): Promise<ImportResult>;
  /** Stores many, sixteen at a time; the results have the order of the entries. One that fails does not stop the others. */
  importAll(entries: Iterable<ImportEntry>): Promise<readonly ImportResult[]>;
  /** Whether a user has a password. */
  has(userId: string): Promise<boolean>;
}

/** The database serves sign-ins meanwhile. */
const AT_ONCE = 16;

/**
 * The passwords behind what `createAuth` returned.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function passwordsOf(auth: Handled): PasswordOperations {
  const handle = handleOf(auth, "password");
  const store = async (t: Tools, entry: ImportEntry) => importHash(t, settingsOf(t), entry);
  return {
    import: async (userId, hash) => store(await handle.tools(), { userId, hash }),
    async importAll(entries) {
      const t = await handle.tools();
      const all = [...entries];
      const results: ImportResult[] = [];
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const slice = all.slice(at, at + AT_ONCE);
        results.push(...(await Promise.all(slice.map((entry) => store(t, entry)))));
      }
      return results;
    },
    has: async (userId) => (await findPassword(await handle.tools(), userId)) !== null,
  };
}

async function importHash(t: Tools, { formats }: Settings, { userId, hash }: ImportEntry): Promise<ImportResult> {
  if (!formats.some((format) => format.matches(hash))) return "format";
  try {
    // A store that keeps credentials for the database does not know the users.
    if ((await t.callAdapter("getUser", userId)) === null) throw new Error(`There is no user with the id "${userId}".`);
    if ((await findPassword(t, userId)) !== null) return "exists";
    const credential = { userId, type: "password", secret: hash, createdAt: new Date(), state: {} };
    await t.callAdapter("createCredential", credential);
  } catch (error) {
    // Another request may have been faster: a user has one password at most.
    if ((await findPassword(t, userId).catch(() => null)) !== null) return "exists";
    t.logger.error(new Error("The hash of a password could not be imported.", { cause: error }));
    return "failed";
  }
  t.note({ kind: "password.changed", userId, by: "admin", how: "import" });
  return "stored";
}
