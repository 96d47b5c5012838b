import { finishCredentials } from "../credentials/finish.ts";
import { emailFlowOf, finishEmail } from "../email/finish.ts";
import { startEmail } from "../email/start.ts";
import { callbackParams, finishOAuth } from "../oauth/finish.ts";
import { usesProxy } from "../oauth/pending-sign-in.ts";
import { startOAuth } from "../oauth/start.ts";
import { ownWayOf } from "./own-way.ts";
import type { Kind, Way } from "./way.ts";

/**
 * Every sign-in method, by kind of provider. Code outside this table does not depend on how a kind starts or finishes. A table and not
 * a class for each kind: one screen shows what the kinds have in common, and what each lacks. The methods are loaded together, on
 * demand; rows that load themselves would need a wrapper for each function.
 */
const WAYS: { readonly [K in Kind]: Way<K> } = {
  oauth: {
    start: startOAuth,
    // The response must use the requested mode (OAuth 2.0 Form Post Response Mode §2).
    method: (context, provider) => (provider.formPost && !usesProxy(context, provider) ? "POST" : "GET"),
    secret: async (context) => callbackParams(context).get("state"),
    finish: finishOAuth,
  },
  email: {
    start: startEmail,
    method: () => null,
    secret: emailFlowOf,
    finish: finishEmail,
  },
  credentials: {
    // A credentials form posts to the callback.
    start: async () => null,
    method: () => "POST",
    secret: async () => null,
    finish: finishCredentials,
  },
  webauthn: {
    // It requires a page's script.
    start: async () => null,
    method: () => "POST",
    // The page's script sends it, once.
    secret: async () => null,
    finish: async (context, provider) => (await ownWayOf(provider)).finish(context, provider),
  },
};

/** The sign-in method for providers, or identities, of one kind. */
export function wayOf<K extends Kind>({ kind }: { readonly kind: K }): Way<K> {
  return WAYS[kind];
}
