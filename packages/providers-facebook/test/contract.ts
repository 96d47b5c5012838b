import type { ProviderExpectations } from "@cardea/testing";
import { Facebook } from "../src/index.ts";

const ERROR = {
  message: "This authorization code has been used.",
  type: "OAuthException",
  code: 100,
  fbtrace_id: "AbC1815",
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Facebook,
  id: "facebook",
  name: "Facebook",
  authorizationUrl: "https://www.facebook.com/v23.0/dialog/oauth?scope=public_profile,email",
  profile: {
    id: "10158181500000000",
    name: "Ada Lovelace",
    email: "ada@example.com",
    picture: {
      data: { height: 50, width: 50, is_silhouette: false, url: "https://platform-lookaside.fbsbx.com/ada" },
    },
  },
  user: {
    id: "10158181500000000",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://platform-lookaside.fbsbx.com/ada",
  },
  responses: {
    // https://developers.facebook.com/docs/graph-api/reference/user/
    "a user who has no valid address": {
      profile: { id: "10158181500000000", name: "Ada Lovelace" },
      // https://developers.facebook.com/documentation/facebook-login/guides/advanced/manual-flow
      tokens: { token_type: "bearer", expires_in: 5_183_944 },
      user: { email: null, image: null },
    },
    // https://developers.facebook.com/docs/graph-api/guides/error-handling
    "an error of the token endpoint, which is an object": {
      script: { token: { status: 400, body: { error: ERROR } } },
      logged: ["OAuthException", "This authorization code has been used.", "AbC1815"],
    },
    "an error of the API": {
      script: { userinfo: { status: 400, body: { error: ERROR } } },
      logged: ["OAuthException", "This authorization code has been used.", "AbC1815"],
    },
  },
};
