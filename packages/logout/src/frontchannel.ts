import type { ActionAnswer, ActionRequest, RequestTools } from "@cardea/extend";

/**
 * GET `frontchannel/{provider}?iss&sid`: ends the browser's session if it came from exactly this provider session (OIDC
 * Front-Channel Logout §3). The only GET that ends a session. Browsers that block third-party cookies send none here.
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
