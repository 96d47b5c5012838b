/** Client requests to a scripted provider, for this package's own tests. */
import type { CodeFlow } from "../plain-client.ts";
import type { ScriptedProvider } from "../scripted-provider.ts";

/** The redirect URI of the client. */
export const redirectUri = "https://app.example.com/auth/callback/op";

/** A complete sign-in at a scripted provider, for `runCodeFlow`. */
export function flowWith(op: ScriptedProvider, changes: Partial<CodeFlow> = {}): CodeFlow {
  return {
    issuer: op.issuer,
    clientId: op.clientId,
    clientSecret: op.clientSecret ?? "",
    redirectUri,
    fetch: op.fetch,
    visit: async (url) => {
      const answer = await op.authorize(url);
      return answer.form ?? answer.url.searchParams;
    },
    ...changes,
  };
}

/** A correct client's authorization request. */
export function authorizationUrl(op: ScriptedProvider, changes: Record<string, string> = {}): URL {
  const url = new URL("https://op.example.com/authorize");
  const params = {
    client_id: op.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email",
    ...changes,
  };
  url.search = new URLSearchParams(params).toString();
  return url;
}

/** Gets a code and sends it to the token endpoint; `changes` to the form may replace it. */
export async function redeem(
  op: ScriptedProvider,
  changes: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<{ code: string; status: number; body: unknown }> {
  const { url } = await op.authorize(authorizationUrl(op));
  const code = url.searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...changes };
  const response = await op.fetch("https://op.example.com/token", {
    method: "POST",
    body: new URLSearchParams(form),
    headers,
  });
  return { code, status: response.status, body: await response.json() };
}

/** The client's secret, as a header. */
export const basic = { authorization: `Basic ${btoa("cid:csecret")}` };
