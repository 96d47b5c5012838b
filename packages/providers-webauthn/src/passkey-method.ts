import { defineExtension, defineSignInMethod, type Extension } from "@cardea/extend";
import { renderPasskey, renderProof } from "./page/passkey-form.ts";
import { PASSKEY_SCRIPT_HASH } from "./page/passkey-script-hash.ts";
import { passkeyProvider } from "./passkey-provider.ts";
import { findSharedProblems, MEMBERS, resolvePasskeyProvider } from "./resolve-provider.ts";

/**
 * The extension that a passkey provider carries. Only the checks at startup are loaded immediately; the rest is loaded with the
 * first request that needs it, and `@simplewebauthn/server` with the first passkey.
 */
export const passkeys: Extension = defineExtension({
  id: "webauthn",
  method: defineSignInMethod({
    type: "webauthn",
    members: MEMBERS,
    resolve: resolvePasskeyProvider,
    findProblems: findSharedProblems,
    start: async (query, t) => (await import("./start.ts")).startPasskey(query, t),
    finish: async (body, t) => (await import("./finish.ts")).finishPasskey(body, t),
    revive: async (proof, t) => (await import("./revive-passkey.ts")).revivePasskey(proof, t),
    form: renderPasskey,
    prove: {
      challenge: async (provider, request, t) =>
        (await import("./prove-user.ts")).challengePasskey(t, {
          ...request,
          provider: passkeyProvider(provider).source,
        }),
      verify: async (provider, request, state, answer, t) =>
        (await import("./prove-user.ts")).verifyPasskey(
          t,
          { ...request, provider: passkeyProvider(provider).source },
          state,
          answer,
        ),
      form: renderProof,
    },
    script: {
      integrity: PASSKEY_SCRIPT_HASH,
      load: async () => (await import("./page/passkey-script.ts")).PASSKEY_SCRIPT,
    },
  }),
});
