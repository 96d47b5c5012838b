import type { ProviderExpectations } from "@cardea/testing";
import { WorkOS } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: WorkOS,
  id: "workos",
  name: "WorkOS",
  options: { organization: "org_01EHZNVPK3" },
  authorizationUrl: "https://api.workos.com/sso/authorize?organization=org_01EHZNVPK3",
  profile: {
    object: "profile",
    id: "prof_01DMC79VCBZ0NY2099737PSVF1",
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@example.com",
    organization_id: "org_01EHZNVPK3",
    connection_type: "OktaSAML",
    raw_attributes: { picture: "https://cdn.example.com/ada.png" },
  },
  user: {
    id: "prof_01DMC79VCBZ0NY2099737PSVF1",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.example.com/ada.png",
  },
};
