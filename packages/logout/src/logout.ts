import { type ActionSpec, defineExtension, type Extension } from "@cardea/core/extend";
import { backchannel } from "./backchannel.ts";
import { frontchannel } from "./frontchannel.ts";
import { keepTokens, prolongTokens } from "./kept-tokens.ts";
import { leave, signedOut } from "./leave.ts";
import type { LogoutOptions } from "./settings.ts";

/**
 * Signs users out for real: a sign-out goes on at the provider that the session came from, and a provider that ends its session ends ours, on
 * every server. The local end always comes first.
 */
export function logout(options: LogoutOptions = {}): Extension {
  const { backchannel: hasBackchannel = false, frontchannel: hasFrontchannel = false, revoke = [] } = options;
  const page: ActionSpec = { csrf: "none", segment: "required", answers: "page", head: "skip", run: signedOut };
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
