import { type ExtensionKit, KIT } from "../config/use-extensions.ts";
import type { Extension, ExtensionSpec } from "../model/extension.ts";
import { OWN_WAY, type SignInWay, type SignInWaySpec } from "../model/sign-in-way.ts";
import { loadOnce } from "../model/when-there.ts";
import type { OwnWay } from "../sign-in/own-way.ts";
import { resolveExtensions } from "./resolve-extensions.ts";

/** Extensions are validated at startup; the code that calls them is loaded on the first request. */
const kit: ExtensionKit = (given, listed) =>
  resolveExtensions(given, listed, async (list) => (await import("./create-runner.ts")).createRunner(list));

/** Creates an extension for the option `extensions` of an application. */
export function defineExtension(spec: ExtensionSpec): Extension {
  // The kit that core uses to check and call it makes it an extension.
  return { ...spec, [KIT]: kit } as ExtensionSpec as Extension;
}

/** Loaded with the first request for it. */
const load = loadOnce(async (): Promise<OwnWay> => (await import("./own-way.ts")).ownWay);

/**
 * Creates a sign-in method, for the member `way` of an extension that a provider object carries, so that applications without passkeys
 * do not contain them. The method proves who a user is, as a `profile()` does, and receives no secret and no session token; core owns
 * routes, cookies, limits, admission and the session. Actions of the extension in place of the routes would repeat all of these, and the
 * internal context would reveal secrets. An extension that has only a method adds no facts to session tokens.
 */
export function defineSignInWay(spec: SignInWaySpec): SignInWay {
  // With what core signs in by, it is one.
  return { ...spec, [OWN_WAY]: load } as SignInWaySpec as SignInWay;
}
