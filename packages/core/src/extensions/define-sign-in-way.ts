import type { OwnWay } from "../flows/own-way.ts";
import { OWN_WAY, type SignInWay, type SignInWaySpec } from "../model/sign-in-way.ts";
import { loadOnce } from "../model/when-there.ts";

/** Loaded with the first request for it. */
const load = loadOnce(async (): Promise<OwnWay> => (await import("./own-way.ts")).ownWay);

/** Creates a sign-in method, for the member `way` of an extension that a provider object carries. */
export function defineSignInWay(spec: SignInWaySpec): SignInWay {
  // With what core signs in by, it is one.
  return { ...spec, [OWN_WAY]: load } as SignInWaySpec as SignInWay;
}
