import { callAdapter } from "../application/call-adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import { decidePasskeyLinking, type PasskeyLinkingDecision } from "../protocol/account-linking.ts";
import type { CreatedUser } from "./create-user.ts";
import { findUserByAddress } from "./find-user-by-address.ts";
import type { KnownPasskeyIdentity, NewPasskeyIdentity, PasskeyIdentity } from "./identity.ts";
import { createUserWithPasskey, linkPasskey } from "./link-passkey.ts";

/** The user of a passkey, and whether the passkey has just been added to them. */
interface ResolvedPasskeyUser extends CreatedUser {
  readonly added?: boolean;
}

/**
 * Finds or creates the user of a verified passkey. The counter is stored last: a denied sign-in must not increase it, and a
 * sign-in whose counter cannot be stored issues no session (WebAuthn L3 §7.2 step 25).
 *
 * @throws AccountNotLinked if the policy denies it; AdapterError.
 */
export async function resolvePasskeyUser(
  context: FlowContext,
  identity: PasskeyIdentity,
): Promise<ResolvedPasskeyUser> {
  return identity.ceremony === "register"
    ? resolveRegistration(context, identity)
    : resolveAuthentication(context, identity);
}

async function resolveAuthentication(context: FlowContext, identity: KnownPasskeyIdentity): Promise<CreatedUser> {
  const { user: owner, signedInAs, credentialID, counter } = identity;
  const signedIn = signedInAs === null ? null : { userId: signedInAs };
  const decision = decidePasskeyLinking({ ceremony: "authenticate", owner, signedIn });
  if (decision.kind !== "sign-in") throw refused(identity, decision);
  await callAdapter(context.config, "updateAuthenticatorCounter", credentialID, counter);
  return { user: owner, isNewUser: false };
}

async function resolveRegistration(context: FlowContext, identity: NewPasskeyIdentity): Promise<ResolvedPasskeyUser> {
  const { addTo, session, user } = identity;
  const { email } = user;
  const sameEmail = addTo === null && email ? await findUserByAddress(context.config, email) : null;
  const signedIn = addTo === null ? null : { userId: addTo.id };
  const decision = decidePasskeyLinking({ ceremony: "register", signedIn, sameEmail });
  if (decision.kind === "link" && addTo !== null) {
    return { ...(await linkPasskey(context, identity, addTo, session)), added: true };
  }
  if (decision.kind === "create") return createUserWithPasskey(context, identity);
  throw refused(identity, decision);
}

function refused(identity: PasskeyIdentity, decision: PasskeyLinkingDecision): AccountNotLinked {
  const reason = decision.kind === "refuse" ? decision.reason : decision.kind;
  const message =
    reason === "email-taken"
      ? "The e-mail address already belongs to a user, who can add a passkey while signed in."
      : "The passkey belongs to a user other than the signed-in one.";
  return new AccountNotLinked(message, { cause: { provider: identity.account.provider, reason } });
}
