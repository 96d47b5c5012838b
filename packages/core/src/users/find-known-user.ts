import { callAdapter } from "../application/call-adapter.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { findUserByAddress } from "./find-user-by-address.ts";
import type { Identity } from "./identity.ts";

/**
 * The user whom an identity belongs to already: of its account, for a proven e-mail address of that address, for a further
 * passkey the one who is signed in. null without a database, for credentials, and when there is none.
 *
 * @throws AdapterError.
 */
export async function findKnownUser(context: FlowContext, identity: Identity): Promise<AdapterUser | null> {
  const { config } = context;
  const { provider, providerAccountId, type } = identity.account;
  if (config.adapter === undefined) return null;
  switch (type) {
    case "oauth":
    case "oidc":
      return (await callAdapter(config, "getUserByAccount", { provider, providerAccountId })) ?? null;
    case "email":
      if (identity.startsFresh === true) return null;
      return findUserByAddress(config, providerAccountId);
    case "credentials":
      return null;
    case "webauthn":
      return identity.passkey?.ceremony === "authenticate" ? identity.passkey.owner : (identity.passkey?.addTo ?? null);
  }
}
