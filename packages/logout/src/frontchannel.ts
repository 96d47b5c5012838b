import type { ActionAnswer, ActionRequest, RequestTools } from "@cardea/core/extend";

/**
 * GET `frontchannel/{provider}?iss&sid`: ends the session of the browser if exactly this session at this provider is where it came from (OIDC
 * Front-Channel Logout §3). The one GET that ends a session; browsers that keep cookies from other sites' frames send none here.
 */
export async function frontchannel(action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const session = await action.session();
  const origin = (await session?.facts())?.idp;
  const [iss, sid] = [action.query.get("iss"), action.query.get("sid")];
  const isIt =
    session !== null &&
    origin?.provider === action.segment &&
    origin?.iss !== undefined &&
    origin.sid !== undefined &&
    origin.iss === iss &&
    origin.sid === sid;
  if (isIt) {
    const { sessionEndsOf } = await import("@cardea/sessions");
    await sessionEndsOf(t).end(session.sid, "provider");
    action.clearSession();
  }
  return { kind: "empty", status: 200, headers: { "cache-control": "no-store" } };
}
