import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** What Microsoft Entra ID says of a person in an ID token (https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference). */
export interface MicrosoftEntraIDProfile {
  /** The person's id for this application. */
  readonly sub: string;
  /** The person's id in the tenant, the same for every application. */
  readonly oid?: string;
  /** The tenant. */
  readonly tid: string;
  readonly name?: string;
  readonly preferred_username?: string;
  /** Whoever administers a tenant can write any address here. */
  readonly email?: string;
  /** Optional claim: whether the tenant owns the address's domain. */
  readonly xms_edov?: boolean | number | string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Microsoft Entra ID. Client id and secret come from the options, or from `AUTH_MICROSOFT_ENTRA_ID_ID` and `AUTH_MICROSOFT_ENTRA_ID_SECRET`.
 * Who may sign in is up to the issuer: `https://login.microsoftonline.com/<tenant id>/v2.0` for one tenant, or with `common`
 * (default), `organizations` or `consumers`; the `issuer` option or `AUTH_MICROSOFT_ENTRA_ID_ISSUER`.
 *
 * @param options laid over the defaults: plain objects deeply, everything else replaced.
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
    // Microsoft says it in a claim of its own: whether the owner of the domain has proven that it is theirs.
    verifiedEmail: ({ email, xms_edov }) => (isTrue(xms_edov) ? email : undefined),
    style: { bg: "#2f2f2f", text: "#ffffff" },
    options,
  };
}

function isTrue(claim: MicrosoftEntraIDProfile["xms_edov"]): boolean {
  return claim === true || claim === 1 || claim === "1";
}

const TENANTS = /\/(?:common|organizations|consumers)\//;

/** An issuer that stands for many tenants: each token names its own, which `tid` says. */
function idTokenIssuer({ tid }: Readonly<Record<string, unknown>>, issuer: string): string {
  return issuer.replace(TENANTS, `/${tid}/`);
}

export default MicrosoftEntraID;
