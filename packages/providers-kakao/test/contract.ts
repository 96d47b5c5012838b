import type { ProviderExpectations } from "@cardea/testing";
import { Kakao } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Kakao,
  id: "kakao",
  name: "Kakao",
  authorizationUrl: "https://kauth.kakao.com/oauth/authorize",
  profile: {
    id: 123_456_789,
    connected_at: "2026-01-01T00:00:00Z",
    kakao_account: {
      profile: { nickname: "Ada", profile_image_url: "https://k.kakaocdn.net/ada.jpg" },
      email: "ada@example.com",
      is_email_valid: true,
      is_email_verified: true,
    },
  },
  user: { id: "123456789", name: "Ada", email: "ada@example.com", image: "https://k.kakaocdn.net/ada.jpg" },
  emailVerified: true,
};
