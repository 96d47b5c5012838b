import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/** The members of WorkOS's user response that are used here (https://workos.com/docs/reference/sso/profile). */
export interface WorkOSProfile {
  /** The profile's id in WorkOS. */
  readonly id: string;
  /** First name; null or absent if the identity provider sends none. */
  readonly first_name?: string | null;
  /** Last name; null or absent if the identity provider sends none. */
  readonly last_name?: string | null;
  /** The address that the identity provider sends; WorkOS does not report whether it is verified. */
  readonly email: string;
  /** The organization that the connection belongs to; null or absent without one. */
  readonly organization_id?: string | null;
  /** The connection that the user signed in with. */
  readonly connection_id?: string;
  /** Kind of the connection, such as `OktaSAML` or `GoogleOAuth`. */
  readonly connection_type?: string;
  /** The identity provider's attributes; empty since April 2026. */
  readonly raw_attributes?: { readonly picture?: string };
  /** The attributes that the organization maps. */
  readonly custom_attributes?: { readonly picture?: string };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/** Options of {@link WorkOS}; one of the two is required, here or among the parameters of a sign-in. */
export interface WorkOSOptions extends OAuthUserConfig<WorkOSProfile> {
  /** The connection that users sign in with, `conn_…`; a profile of another one is rejected. */
  connection?: string;
  /** The organisation that users belong to, `org_…`; a profile of another one is rejected. */
  organization?: string;
}

/**
 * Sign-in with WorkOS. Client id and secret come from the options, or from `AUTH_WORKOS_ID` and `AUTH_WORKOS_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function WorkOS(options: WorkOSOptions = {}): OAuth2Provider<WorkOSProfile> {
  const { connection, organization, ...overrides } = options;
  return {
    id: "workos",
    name: "WorkOS",
    type: "oauth",
    authorization: { url: "https://api.workos.com/sso/authorize", params: { connection, organization, scope: "" } },
    token: { url: "https://api.workos.com/sso/token" },
    userinfo: { url: "https://api.workos.com/sso/profile" },
    client: { token_endpoint_auth_method: "client_secret_post" },
    cancelled: ["signin_consent_denied"],
    profile(profile) {
      // The parameters select what WorkOS shows. Users can edit the URL, and choose another customer's connection.
      requireSame("organization", organization, profile.organization_id);
      requireSame("connection", connection, profile.connection_id);
      const { id, first_name, last_name, email, raw_attributes, custom_attributes } = profile;
      const name = [first_name, last_name].filter(Boolean).join(" ");
      return { id, name: name || null, email, image: raw_attributes?.picture ?? custom_attributes?.picture ?? null };
    },
    style: { bg: "#4f46e5", text: "#ffffff" },
    options: providerOptions("WorkOS", overrides),
  };
}

function requireSame(option: string, wanted: string | undefined, received: string | null | undefined): void {
  if (wanted !== undefined && wanted !== received)
    throw new Error(`the option \`${option}\` is "${wanted}", but the profile belongs to "${received}"`);
}

export default WorkOS;
