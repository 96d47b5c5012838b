import type { ProviderExpectations } from "@cardea/testing";
import { Bitbucket } from "../src/index.ts";

const USER = {
  account_id: "557058:1815",
  uuid: "{1815}",
  display_name: "Ada Lovelace",
  username: "ada",
  links: { avatar: { href: "https://secure.gravatar.com/avatar/ada" } },
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Bitbucket,
  id: "bitbucket",
  name: "Bitbucket",
  authorizationUrl: "https://bitbucket.org/site/oauth2/authorize?scope=account email",
  profile: USER,
  profileWithoutId: { display_name: "Ada Lovelace" },
  resources: {
    "https://api.bitbucket.org/2.0/user/emails": {
      values: [
        { email: "old@example.com", is_primary: false, is_confirmed: true },
        { email: "ada@example.com", is_primary: true, is_confirmed: true },
      ],
    },
  },
  user: {
    id: USER.account_id,
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://secure.gravatar.com/avatar/ada",
  },
  emailVerified: true,
};
