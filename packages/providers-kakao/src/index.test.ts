import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Kakao } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);
