// Adapters written for Auth.js, as they come from npm: they are of our type, and keep the contract but for what is said here.
import type { Adapter } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { type AdapterCapabilities, adapterContract } from "../index.ts";
import { openDrizzleAdapter } from "./adapters/drizzle.ts";
import { openKyselyAdapter } from "./adapters/kysely.ts";
import { openUnstorageAdapter } from "./adapters/unstorage.ts";

interface AuthjsAdapter {
  readonly open: () => Promise<{ readonly adapter: Adapter; close(): unknown }>;
  readonly capabilities?: AdapterCapabilities;
  /** Clauses that the adapter breaks. */
  readonly breaks: readonly string[];
  /** What it has no method for. */
  readonly lacks: readonly string[];
}

const ours = [
  "createCredential",
  "createSessionInfo",
  "createUserWithAccount",
  "deleteSessionsByUserId",
  "listAccountsByUserId",
  "listSessionsByUserId",
  "swapAccountTokens",
  "updateAccount",
];

const adapters: Readonly<Record<string, AuthjsAdapter>> = {
  "@auth/drizzle-adapter": { open: openDrizzleAdapter, breaks: [], lacks: ours },
  "@auth/kysely-adapter": {
    open: openKyselyAdapter,
    capabilities: { extraAccountMembers: false },
    breaks: ["does not recreate a deleted session"],
    lacks: [
      ...["createAuthenticator", "createCredential", "createSessionInfo", "createUserWithAccount"],
      ...["deleteSessionsByUserId", "extraAccountMembers"],
      ...["getAccount", "getAuthenticator"],
      ...["listAccountsByUserId", "listSessionsByUserId", "swapAccountTokens", "updateAccount"],
      "updateAuthenticatorCounter",
    ],
  },
  "@auth/unstorage-adapter": {
    open: openUnstorageAdapter,
    // A store of keys and values. Its keys are paths, so that some different values are one key.
    capabilities: { uniqueKeys: false, atomic: false, cascade: false, exactText: false },
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
    lacks: ["atomic", "cascade", ...ours, "exactText", "uniqueKeys"].sort(),
  },
};

describe.each(Object.entries(adapters))(
  "adapterContract() of %s",
  (_name, { open, capabilities = {}, breaks, lacks }) => {
    const missing = new Set<string>();
    const skip = (reason: string) => void missing.add(reason.replace("the adapter has no ", ""));
    const framework = {
      describe,
      expect,
      it: (name: string, body: (...context: unknown[]) => Promise<void>) =>
        breaks.includes(name) ? it.fails(name, () => body()) : it(name, () => body({ skip })),
    };
    adapterContract(framework, async () => {
      const { adapter, close } = await open();
      return { adapter, capabilities, cleanup: async () => void (await close()) };
    });

    it("runs all of it but what needs methods that are ours, or capabilities that it lacks", () => {
      expect([...missing].sort()).toEqual(lacks);
    });
  },
);
