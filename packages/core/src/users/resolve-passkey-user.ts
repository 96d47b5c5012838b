import { callAdapter } from "../application/call-adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import { decidePasskeyLinking, type PasskeyLinkingDecision } from "../protocol/account-linking.ts";
import { findUserByAddress } from "./find-user-by-address.ts";
import type { KnownPasskeyIdentity, NewPasskeyIdentity, PasskeyIdentity } from "./identity.ts";
import { createUserWithPasskey, linkPasskey } from "./link-passkey.ts";
import type { ResolvedUser, UserDecision } from "./resolved-user.ts";

/**
 * Decides who is the user of a verified passkey. The counter is stored last: it must not grow by a sign-in that is refused,
 * and a sign-in whose counter cannot be stored issues no session (WebAuthn L3 §7.2 step 25).
 *
 * @throws AccountNotLinked if the policy denies it; AdapterError.
 */
export async function decidePasskeyUser(context: FlowContext, identity: PasskeyIdentity): Promise<UserDecision> {
  return identity.ceremony === "register"
    ? decideRegistration(context, identity)
    : decideAuthentication(context, identity);
}

function decideAuthentication(context: FlowContext, identity: KnownPasskeyIdentity): UserDecision {
  const { user: owner, signedInAs } = identity;
  const signedIn = signedInAs === null ? null : { userId: signedInAs };
  const decision = decidePasskeyLinking({ ceremony: "authenticate", owner, signedIn });
  if (decision.kind !== "sign-in") throw refused(identity, decision);
  return { kind: "existing", user: owner, carryOut: () => storeCounter(context, identity) };
}

async function storeCounter(
  { config }: FlowContext,
  { user, credentialID, counter }: KnownPasskeyIdentity,
): Promise<ResolvedUser> {
  await callAdapter(config, "updateAuthenticatorCounter", credentialID, counter);
  return { user, isNewUser: false };
}

async function decideRegistration(context: FlowContext, identity: NewPasskeyIdentity): Promise<UserDecision> {
  const { addTo, session, user } = identity;
  const { email } = user;
  const sameEmail = addTo === null && email ? await findUserByAddress(context.config, email) : null;
  const signedIn = addTo === null ? null : { userId: addTo.id };
  const decision = decidePasskeyLinking({ ceremony: "register", signedIn, sameEmail });
  if (decision.kind === "link" && addTo !== null) {
    const carryOut = async () => ({ ...(await linkPasskey(context, identity, addTo, session)), added: true });
    return { kind: "existing", user: addTo, adds: true, carryOut };
  }
  if (decision.kind === "create") return { kind: "new", carryOut: () => createUserWithPasskey(context, identity) };
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
