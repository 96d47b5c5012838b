import { defineExtension, type Extension } from "@cardea/extend";
import { ACTION, admit } from "./admit.ts";
import { CREDENTIAL_METHODS } from "./credentials.ts";
import { checkExisting, forgetExisting, needsFactor } from "./existing.ts";
import { factorActions } from "./factor-action.ts";
import { factorsActions } from "./factors-action.ts";
import { factorsSection } from "./factors-page.ts";
import { ID } from "./operations.ts";
import { resolveOptions, type SecondFactorOptions } from "./options.ts";

const PASSKEY_METHODS = ["getAuthenticator", "listAuthenticatorsByUserId"] as const;

/**
 * Requires a second factor for every sign-in method. The factor is checked after the user is identified, and before
 * anything is written for an existing user. Requires an adapter with the table `Credential`, and a store.
 *
 * @throws TypeError for an invalid option.
 */
export function secondFactor(options: SecondFactorOptions = {}): Extension {
  const settings = resolveOptions(options);
  return defineExtension({
    id: ID,
    needs: {
      adapter: [...CREDENTIAL_METHODS, "getUser", ...(settings.hasPasskey ? PASSKEY_METHODS : [])],
      store: true,
      sessionInfo: true,
    },
    actions: { ...factorActions(settings), ...factorsActions(settings) },
    section: (slot, t, { session }) =>
      slot === "account" && session !== undefined ? factorsSection(settings, t, session) : null,
    admit: (candidate, t) => admit(settings, candidate, t),
    // A user who must have a factor and has none adds one at that same page.
    mayChange: async (session, given, { callbackUrl, adds }, t) =>
      adds === undefined || adds === "factor" || !(await needsFactor(settings, session, given, t))
        ? true
        : { ask: `${ACTION}?${new URLSearchParams({ callbackUrl })}` },
    ...(settings.existing === "ask"
      ? {
          checkSession: (session, t, { isFresh }) => checkExisting(settings, session, t, isFresh),
          observe: forgetExisting,
        }
      : {}),
  });
}
