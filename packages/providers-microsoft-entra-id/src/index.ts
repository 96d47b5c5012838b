import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/**
 * The claims of Microsoft Entra ID's ID tokens
 * (https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference).
 */
export interface MicrosoftEntraIDProfile {
  /** The user's id for this application. */
  readonly sub: string;
  /** The user's id in the tenant, the same for every application. */
  readonly oid?: string;
  /** The tenant. */
  readonly tid: string;
  /** The display name; not unique, and can be changed. */
  readonly name?: string;
  /** The name that the user signs in with; can be changed, so do not authorize by it. */
  readonly preferred_username?: string;
  /** A tenant's administrator can enter any address here. */
  readonly email?: string;
  /** Optional claim: whether the tenant owns the address's domain. */
  readonly xms_edov?: boolean | number | string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Microsoft Entra ID. Client id and secret come from the options, or from `AUTH_MICROSOFT_ENTRA_ID_ID` and
 * `AUTH_MICROSOFT_ENTRA_ID_SECRET`. The issuer determines who may sign in: `https://login.microsoftonline.com/<tenant
 * id>/v2.0` for one tenant, or with `common` (default), `organizations` or `consumers`; set the `issuer` option or
 * `AUTH_MICROSOFT_ENTRA_ID_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function MicrosoftEntraID(
  options: OIDCUserConfig<MicrosoftEntraIDProfile> = {},
): OIDCProvider<MicrosoftEntraIDProfile> {
  return {
    id: "microsoft-entra-id",
    name: "Microsoft Entra ID",
    type: "oidc",
    issuer: "https://login.microsoftonline.com/common/v2.0",
    idTokenIssuer,
    profile({ sub, name, email, xms_edov }) {
      return { id: sub, name: name ?? null, email: email ?? null, emailVerified: isTrue(xms_edov), image: null };
    },
    // Microsoft uses its own claim: whether the owner of the domain has proven ownership.
    verifiedEmail: ({ email, xms_edov }) => (isTrue(xms_edov) ? email : undefined),
    style: { logo: LOGO, bg: "#2f2f2f", text: "#ffffff" },
    options: providerOptions("MicrosoftEntraID", options),
  };
}

function isTrue(claim: MicrosoftEntraIDProfile["xms_edov"]): boolean {
  return claim === true || claim === 1 || claim === "1";
}

const TENANTS = /\/(common|organizations|consumers)\//;

/** The tenant of personal accounts. */
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

/**
 * For an issuer that covers many tenants: each token contains its own issuer, derived from `tid`. A published key names its
 * issuer too, for example so that a key for personal accounts signs for no organization
 * (https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer).
 *
 * @returns the configured issuer, which no token contains, for a tenant that it does not cover: users can change the
 *   authorization URL to that of another tenant.
 */
function idTokenIssuer(
  { tid }: Readonly<Record<string, unknown>>,
  issuer: string,
  key?: Readonly<Record<string, unknown>>,
): string {
  const [, tenants] = TENANTS.exec(issuer) ?? [];
  const isOutside = tenants === (tid === CONSUMERS ? "organizations" : "consumers");
  if (tenants === undefined || isOutside || typeof tid !== "string") return issuer;
  return typeof key?.issuer === "string"
    ? key.issuer.replace("{tenantid}", tid)
    : issuer.replace(`/${tenants}/`, `/${tid}/`);
}

export default MicrosoftEntraID;
