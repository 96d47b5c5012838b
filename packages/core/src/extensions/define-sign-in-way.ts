import type { SignInWay, SignInWaySpec } from "../model/sign-in-way.ts";
import { MAKE_TOOLS, type WayToolsMaker } from "../model/way-tools.ts";

/** Its tools are loaded with the first request for it. */
const makeTools: WayToolsMaker = async (context, provider, request) =>
  (await import("./sign-in-tools.ts")).createSignInTools(context, provider, request);

/** Makes a way to sign in, for the member `way` of an extension that a provider object carries. */
export function defineSignInWay(spec: SignInWaySpec): SignInWay {
  // With what core makes its tools by, it is one.
  return { ...spec, [MAKE_TOOLS]: makeTools } as SignInWaySpec as SignInWay;
}
