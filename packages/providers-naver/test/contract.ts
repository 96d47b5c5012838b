import type { ProviderExpectations } from "@cardea/testing";
import { Naver } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Naver,
  id: "naver",
  name: "NAVER",
  authorizationUrl: "https://nid.naver.com/oauth2.0/authorize",
  tokens: { expires_in: "3600" },
  profile: {
    resultcode: "00",
    message: "success",
    response: {
      id: "32742776",
      nickname: "Ada",
      name: "Ada Lovelace",
      email: "ada@example.com",
      profile_image: "https://ssl.pstatic.net/static/ada.gif",
    },
  },
  profileWithoutId: { resultcode: "00", message: "success", response: { nickname: "Ada" } },
  user: { id: "32742776", name: "Ada", email: "ada@example.com", image: "https://ssl.pstatic.net/static/ada.gif" },
};
