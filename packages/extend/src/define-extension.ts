import type { ExtensionKit, ToMethod } from "@cardea/core/extension-host";
import {
  COPY,
  type Extension,
  type ExtensionSpec,
  KIT,
  loadOnce,
  type PROTOCOL,
  type SignInMethodDefinition,
  type SignInMethodSpec,
  TO_METHOD,
} from "@cardea/core/extension-kit";
import { resolveExtensions } from "./resolve-extensions.ts";

/** Extensions are validated at startup; the code that calls them is loaded on the first request. */
const kit: ExtensionKit = {
  protocol: 1 satisfies typeof PROTOCOL,
  copy: COPY,
  resolve: (given, listed) => resolveExtensions(given, listed, async () => (await import("./runner.ts")).runner),
};

/** Creates an extension for the option `extensions` of an application. */
export function defineExtension(spec: ExtensionSpec): Extension {
  // The kit that core uses to check and call it makes it an extension.
  return { ...spec, [KIT]: kit } as ExtensionSpec as Extension;
}

/** Loaded with the first request for it. */
const load = loadOnce(() => import("./defined-method.ts"));

/** The method that core uses, of a definition. */
const toMethod: ToMethod = (spec) => ({
  types: [spec.type],
  members: spec.members,
  resolve: ({ id, members }) => {
    const resolved = spec.resolve(members);
    if ("problems" in resolved) return resolved;
    const provider = { ...resolved, kind: "webauthn", type: "webauthn", id, method: spec, source: members } as const;
    return { provider, warnings: [], secrets: resolved.secrets };
  },
  findProblems: (providers) => spec.findProblems(providers),
  form: ({ baseUrl }, { id, name, fields, autofill }) => ({
    kind: "scripted",
    id,
    name,
    options: `${baseUrl}/webauthn-options/${id}`,
    action: `${baseUrl}/callback/${id}`,
    fields,
    autofill,
    script: { url: `${baseUrl}/webauthn-script`, integrity: spec.script.integrity },
    form: spec.form,
  }),
  actions: {
    "GET webauthn-options": { run: async (context) => (await load()).webauthnOptions(context) },
    "GET webauthn-script": { run: async (context) => (await load()).webauthnScript(context, spec.script) },
  },
  load: async () => (await load()).definedMethod,
});

/**
 * Creates a sign-in method, for the member `method` of an extension that a provider object carries, so that applications without passkeys
 * do not contain them. The method proves who a user is, as a `profile()` does, and receives no secret and no session token; core owns
 * routes, cookies, limits, admission and the session. Actions of the extension in place of the routes would repeat all of these, and the
 * internal context would reveal secrets. An extension that has only a method adds no facts to session tokens.
 */
export function defineSignInMethod(spec: SignInMethodSpec): SignInMethodDefinition {
  // With what makes it a method of core, it is one.
  return { ...spec, [TO_METHOD]: toMethod } as SignInMethodSpec as SignInMethodDefinition;
}
