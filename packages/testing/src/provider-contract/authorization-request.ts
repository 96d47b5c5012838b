import type { Check } from "@cardea/core/providers";
import type { ProviderExpectations } from "./expectations.ts";

/** Parameters of every authorization request; all others belong to the provider. */
const FLOW_PARAMS = [
  "response_type",
  "client_id",
  "redirect_uri",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
];

/** The decoded URL, without the parameters that every flow adds. */
export function ownPart(url: URL): string {
  const own = new URL(url);
  for (const param of FLOW_PARAMS) own.searchParams.delete(param);
  return decodeURIComponent(own.href.replaceAll("+", " "));
}

/** The parameters that every flow adds, with placeholders for random values. */
export function flowPart({ searchParams }: URL): Record<string, string | null> {
  const { response_type, client_id, redirect_uri, state, nonce, code_challenge, code_challenge_method } =
    Object.fromEntries(searchParams);
  const random = { state, nonce, code_challenge };
  const lengths = Object.entries(random).map(([param, value]) => [param, value === undefined ? "absent" : "random"]);
  return { response_type, client_id, redirect_uri, code_challenge_method, ...Object.fromEntries(lengths) };
}

/** The expected result of {@link flowPart}. */
export function flowOf(
  { id, checks }: ProviderExpectations,
  type: string,
  clientId: string,
): Record<string, string | undefined> {
  const used = checks ?? (type === "oidc" ? ["pkce", "state", "nonce"] : ["pkce", "state"]);
  const has = (check: Check) => (used.includes(check) ? "random" : "absent");
  return {
    response_type: "code",
    client_id: clientId,
    redirect_uri: `https://app.example.com/auth/callback/${id}`,
    code_challenge_method: used.includes("pkce") ? "S256" : undefined,
    state: "random",
    nonce: has("nonce"),
    code_challenge: has("pkce"),
  };
}
