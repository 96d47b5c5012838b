import type { ProviderExpectations } from "@cardea/testing";
import { Atlassian } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Atlassian,
  id: "atlassian",
  name: "Atlassian",
  authorizationUrl: "https://auth.atlassian.com/authorize?audience=api.atlassian.com&scope=read:me&prompt=consent",
  checks: ["state"],
  profile: {
    account_type: "atlassian",
    account_id: "112233aa-bb11-cc22-33dd-445566abcabc",
    email: "ada@example.com",
    name: "Ada Lovelace",
    picture: "https://avatar-management.services.atlassian.com/112233aa/1815",
    account_status: "active",
    nickname: "ada",
  },
  profileWithoutId: { name: "Ada Lovelace" },
  user: {
    id: "112233aa-bb11-cc22-33dd-445566abcabc",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://avatar-management.services.atlassian.com/112233aa/1815",
  },
};
