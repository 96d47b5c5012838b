import type { WebAuthnProvider } from "@cardea/core/providers";

/**
 * Creates the handler for `https://{relayingParty.id}/.well-known/webauthn`, which lets browsers use the passkeys of one domain on others (WebAuthn
 * L3 §5.11): those in `relayingParty.origin`.
 *
 * @param provider the passkey provider of the configuration.
 * @returns a function that answers every request alike, for routers of the Fetch API.
 * @throws TypeError if `relayingParty` lacks a single `id`, or an `origin` on another domain.
 */
export function relatedOrigins({ relayingParty = {} }: Pick<WebAuthnProvider, "relayingParty">): () => Response {
  const { id, origin } = relayingParty;
  if (typeof id !== "string")
    throw new TypeError("relatedOrigins(): `relayingParty.id` must be one domain, to which all passkeys belong.");
  // Apps have origins of another kind, and the domain itself needs no permission: browsers limit the number of domains.
  const others = [origin].flat().filter((one) => one !== undefined && /^https?:/.test(one) && !isOwn(one, id));
  if (others.length === 0)
    throw new TypeError(`relatedOrigins(): \`relayingParty.origin\` lists no origin outside of ${id}.`);
  const body = JSON.stringify({ origins: others });
  return () => new Response(body, { headers: { "content-type": "application/json" } });
}

function isOwn(origin: string, id: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === id || hostname.endsWith(`.${id}`);
}
