import type { ProviderExpectations } from "@cardea/testing";
import { WorkOS } from "../src/index.ts";

const PROFILE = {
  object: "profile",
  id: "prof_01DMC79VCBZ0NY2099737PSVF1",
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  organization_id: "org_01EHZNVPK3",
  connection_type: "OktaSAML",
  raw_attributes: { picture: "https://cdn.example.com/ada.png" },
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: WorkOS,
  id: "workos",
  name: "WorkOS",
  options: { organization: "org_01EHZNVPK3" },
  authorizationUrl: "https://api.workos.com/sso/authorize?organization=org_01EHZNVPK3",
  profile: PROFILE,
  profileWithIdOnly: { id: PROFILE.id, organization_id: PROFILE.organization_id },
  user: {
    id: "prof_01DMC79VCBZ0NY2099737PSVF1",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.example.com/ada.png",
  },
  responses: {
    // https://workos.com/docs/reference/sso/profile/get-profile-and-token
    "tokens with the profile, and no attributes": {
      script: {
        token: {
          patch: {
            set: {
              token_type: "Bearer",
              expires_in: 600,
              profile: { object: "profile", id: "prof_01DMC79VCBZ0NY2099737PSVF1" },
            },
          },
        },
      },
      profile: {
        object: "profile",
        id: "prof_01DMC79VCBZ0NY2099737PSVF1",
        organization_id: "org_01EHZNVPK3",
        connection_id: "conn_01E4ZCR3C56J083X43JQXF3JK5",
        connection_type: "GoogleOAuth",
        email: "ada@example.com",
        first_name: null,
        last_name: null,
        idp_id: "1815",
        raw_attributes: {},
      },
      user: { name: null, image: null },
    },
    // https://workos.com/docs/reference/sso/profile: `raw_attributes` is empty since April 2026
    "attributes under their new name": {
      profile: { ...PROFILE, raw_attributes: {}, custom_attributes: { picture: "https://cdn.example.com/new.png" } },
      user: { image: "https://cdn.example.com/new.png" },
    },
    // https://workos.com/docs/sso/guide: "validate that the profile belongs to the organization". Users can edit the URL.
    "a profile of another organization": {
      profile: { ...PROFILE, organization_id: "org_01EHZNVPK4" },
      logged: ["org_01EHZNVPK4"],
    },
    // https://workos.com/docs/reference/sso/get-authorization-url/error-codes
    "an error of the connection": {
      script: {
        authorize: {
          error: { error: "profile_not_allowed_outside_organization", error_description: "The profile is outside." },
        },
      },
      logged: ["profile_not_allowed_outside_organization"],
    },
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: { error: "invalid_grant", error_description: "The code has expired or is invalid." },
        },
      },
      logged: ["invalid_grant", "The code has expired or is invalid."],
    },
    // https://workos.com/docs/reference/errors
    "an error of the API": {
      script: { userinfo: { status: 401, body: { message: "Unauthorized", error: "invalid_token" } } },
      logged: ["401", "Unauthorized"],
    },
  },
  // https://workos.com/docs/sso/sign-in-consent
  cancelled: ["signin_consent_denied"],
};
