import { type ActionSpec, defineExtension, type Extension } from "@cardea/extend";
import { backchannel } from "./backchannel.ts";
import { frontchannel } from "./frontchannel.ts";
import { keepTokens, prolongTokens } from "./kept-tokens.ts";
import { leave, signedOut } from "./leave.ts";
import { checkLogoutOptions, type LogoutOptions } from "./settings.ts";

/**
 * Propagates logout in both directions: a sign-out also ends the session at the provider, and a provider that ends its
 * session ends ours on every server. The local session always ends first.
 *
 * @throws TypeError for an invalid option.
 */
export function logout(options: LogoutOptions = {}): Extension {
  checkLogoutOptions(options);
  const { backchannel: hasBackchannel = false, frontchannel: hasFrontchannel = false, revoke = [] } = options;
  const page: ActionSpec = {
    ...{ csrf: "none", segment: "required", answers: "page", head: "skip" },
    run: (action, t) => signedOut(action, t, options),
  };
  const receiver: ActionSpec = {
    ...{ csrf: "none", segment: "required", answers: "json", head: "skip" },
    run: (action, t) => backchannel(action, t, options),
  };
  const frame: ActionSpec = { ...page, run: frontchannel };
  const needsSessions = hasBackchannel || hasFrontchannel;
  return defineExtension({
    id: "logout",
    ...(needsSessions ? { needs: { store: true as const, extensions: ["sessions"] } } : {}),
    actions: {
      "GET signedout": page,
      ...(hasBackchannel ? { "POST backchannel": receiver } : {}),
      ...(hasFrontchannel ? { "GET frontchannel": frame } : {}),
    },
    onTokens: (granted, t) => keepTokens(granted, t, revoke),
    onSession: async ({ cause, sid }, t) => {
      if (cause === "renewal") await prolongTokens(t, sid);
    },
    onSignOut: (ended, t) => leave(ended, t, options),
  });
}
