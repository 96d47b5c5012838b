// Adapters written for Auth.js, as they come from npm: they are of our type, and keep the contract but for what is said here.
import type { Adapter } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { type AdapterContractOptions, adapterContract } from "../index.ts";
import { openDrizzleAdapter } from "./adapters/drizzle.ts";
import { openKyselyAdapter } from "./adapters/kysely.ts";
import { openUnstorageAdapter } from "./adapters/unstorage.ts";

interface AuthjsAdapter {
  readonly open: () => Promise<{ readonly adapter: Adapter; close(): unknown }>;
  /** Clauses that the adapter breaks. */
  readonly breaks: readonly string[];
  /** What it has no method for, and what its database cannot do. */
  readonly lacks: Needs;
}

type Needs = NonNullable<AdapterContractOptions["lacks"]>;

/** Methods that adapters of Auth.js do not have. */
const ours: Needs = [
  ...(["createUserWithAccount", "listAccountsByUserId", "updateAccount", "swapAccountTokens"] as const),
  ...(["listSessionsByUserId", "deleteSessionsByUserId"] as const),
  ...(["createSessionInfo", "getSessionInfo", "updateSessionInfo", "listSessionInfosByUserId"] as const),
  ...(["deleteSessionInfosByUserId", "createCredential", "listCredentialsByUserId", "updateCredential"] as const),
  "deleteCredential",
  "removeSignInMethod",
  "updateAuthenticator",
];

const passkeys: Needs = [
  ...(["getAuthenticator", "createAuthenticator", "listAuthenticatorsByUserId"] as const),
  "updateAuthenticatorCounter",
];

const adapters: Readonly<Record<string, AuthjsAdapter>> = {
  "@auth/drizzle-adapter": {
    open: openDrizzleAdapter,
    // Its counter follows the last writer.
    breaks: ["ends with the greatest of several counters that are stored concurrently"],
    lacks: ours,
  },
  "@auth/kysely-adapter": {
    open: openKyselyAdapter,
    // It rejects when the session is not there.
    breaks: ["does not recreate a deleted session", "does not recreate a session that is renewed while it is deleted"],
    lacks: [...ours, ...passkeys, "getAccount", "extraAccountMembers"],
  },
  "@auth/unstorage-adapter": {
    open: openUnstorageAdapter,
    breaks: [
      // It rejects what is no key to it.
      "treats addresses and ids as text, not as a pattern, a path or SQL",
      "treats ids as text, not as a pattern, a path or SQL",
      "requires address and token, and consumes nothing for a wrong one",
      "distinguishes the accounts of two providers",
      "ignores undefined members and clears null ones",
      "finds a user by the new address only",
      "does not invent a missing user",
      // It rejects when the user has no account or no session.
      "deletes one user and keeps the others",
      "deletes a user several times concurrently without an error",
      "keeps other users' pending e-mail sign-ins when a user is deleted",
    ],
    // A store of keys and values. Its keys are paths, so that some different values are one key.
    lacks: [...ours, "uniqueKeys", "atomic", "cascade", "exactText"],
  },
};

describe.each(Object.entries(adapters))("adapterContract() of %s", (_name, { open, breaks, lacks }) => {
  const framework = {
    describe,
    expect,
    it: (name: string, body: () => Promise<void>) => (breaks.includes(name) ? it.fails(name, body) : it(name, body)),
  };
  const make = async () => {
    const { adapter, close } = await open();
    return { adapter, cleanup: async () => void (await close()) };
  };
  adapterContract(framework, make, { lacks });
});
