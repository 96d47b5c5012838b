import type { ProviderExpectations } from "@cardea/testing";
import { Zoom } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Zoom,
  id: "zoom",
  name: "Zoom",
  authorizationUrl: "https://zoom.us/oauth/authorize",
  profile: {
    id: "KDcuGIm1QgePTO8WbOqwIQ",
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@example.com",
    verified: 1,
    pic_url: "https://us02images.zoom.us/p/ada.jpg",
    account_id: "gq8YvVdsQ0-1815",
  },
  user: {
    id: "KDcuGIm1QgePTO8WbOqwIQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://us02images.zoom.us/p/ada.jpg",
  },
  emailVerified: true,
  responses: {
    // https://developers.zoom.us/docs/api/users/#tag/users/GET/users/{userId}
    "a user with a display name, whose address is not verified": {
      profile: {
        id: "KDcuGIm1QgePTO8WbOqwIQ",
        first_name: "Ada",
        last_name: "",
        display_name: "Ada",
        email: "ada@example.com",
        type: 1,
        verified: 0,
        pmi: 3_542_471_135,
        account_id: "gq8YvVdsQ0-1815",
        status: "active",
      },
      // https://developers.zoom.us/docs/integrations/oauth/#step-2-request-access-token
      tokens: {
        token_type: "bearer",
        expires_in: 3599,
        refresh_token: "eyJhbGciOiJIUzUxMiJ9",
        scope: "user:read:user",
      },
      user: { name: "Ada", image: null },
      emailVerified: false,
    },
    // https://developers.zoom.us/docs/integrations/oauth/#step-2-request-access-token: the description is `reason`
    "an error of the token endpoint": {
      script: {
        token: { status: 400, body: { reason: "Invalid authorization code skRN56jJbP", error: "invalid_grant" } },
      },
      logged: ["invalid_grant", "Invalid authorization code skRN56jJbP"],
    },
    // https://developers.zoom.us/docs/api/using-zoom-apis/#error-definitions
    "an error of the API": {
      script: {
        userinfo: {
          status: 400,
          body: { code: 4711, message: "Invalid access token, does not contain scopes:[user:read:user]." },
        },
      },
      logged: ["4711", "does not contain scopes"],
    },
  },
};
