import { type Handled, handleOf, type Tools } from "@cardea/extend";
import { findPassword } from "./credential.ts";
import type { Settings } from "./options.ts";

/** The hash of a user, created by another library. */
export interface ImportEntry {
  /** Id of the user, who must exist. */
  readonly userId: string;
  /** The hash, in a format listed in `hash` or `accept`. */
  readonly hash: string;
}

/**
 * Result of an import. `stored`: imported; `exists`: the user already has a password, which is kept; `format`: no
 * configured format matches the hash; `failed`: the database rejected it, for example for an unknown user; see the log.
 */
export type ImportResult = "stored" | "exists" | "format" | "failed";

/** Operations on the passwords of any user, for server code. They do not check the caller's permissions. */
export interface PasswordOperations {
  /** Imports the hash of one user; see {@link ImportResult}. */
  import(userId: string, hash: string): Promise<ImportResult>;
  /**
   * Imports many hashes, sixteen at a time. The results are in the order of the entries. A failure does not affect
   * other entries.
   */
  importAll(entries: Iterable<ImportEntry>): Promise<readonly ImportResult[]>;
  /** Whether a user has a password. */
  has(userId: string): Promise<boolean>;
}

/** Limited, because the database also serves sign-ins. */
const AT_ONCE = 16;

/**
 * Returns the operations of the `Password()` provider of an application.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function passwordsOf(auth: Handled): PasswordOperations {
  const handle = handleOf(auth, "password");
  const store = async (t: Tools, entry: ImportEntry) => importHash(t, t.settings as Settings, entry);
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
    // If credentials are in a store, it does not know the users.
    if ((await t.callAdapter("getUser", userId)) === null) throw new Error(`No user with the id "${userId}" exists.`);
    if ((await findPassword(t, userId)) !== null) return "exists";
    const credential = { userId, type: "password", secret: hash, createdAt: new Date(), state: {} };
    await t.callAdapter("createCredential", credential);
  } catch (error) {
    // A user has at most one password: another request may have been faster.
    if ((await findPassword(t, userId).catch(() => null)) !== null) return "exists";
    t.logger.error(new Error("A password hash could not be imported.", { cause: error }));
    return "failed";
  }
  t.note({ kind: "password.changed", userId, by: "admin", how: "import" });
  return "stored";
}
