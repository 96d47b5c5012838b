import type { OAuthProvider } from "../../model/oauth-provider.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";

/** The tenant of personal Microsoft accounts (https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference). */
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

/**
 * The issuers of a multi-tenant server; undefined for any other.
 *
 * Packages for Auth.js v5 use symbols to mark special behaviour of its core. One of them is a Microsoft issuer that stands
 * for several tenants: the issuer of an ID token then contains the tenant in its claim `tid`, and that of a key may too.
 */
export function tenantIssuerOf({ type, source }: ResolvedOAuthProvider): OAuthProvider["idTokenIssuer"] {
  const { idTokenIssuer, issuer: configured = "" } = source;
  if (idTokenIssuer !== undefined) return idTokenIssuer;
  const isMarked = Object.getOwnPropertySymbols(source).some(({ description }) => description === "conform-internal");
  const [, tenants] = /^https:\/\/[^/]+\/(common|organizations|consumers)\/v2\.0$/.exec(configured) ?? [];
  if (type !== "oidc" || !isMarked || tenants === undefined) return undefined;
  return ({ tid }, issuer, key) => {
    const isOutside = tenants === (tid === CONSUMERS ? "organizations" : "consumers");
    if (typeof tid !== "string" || isOutside) return issuer;
    return typeof key?.issuer === "string"
      ? key.issuer.replace("{tenantid}", tid)
      : issuer.replace(`/${tenants}/`, `/${tid}/`);
  };
}
