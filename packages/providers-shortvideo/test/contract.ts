import type { ProviderExpectations } from "@cardea/testing";
import { TikTok } from "../src/index.ts";

export const USER = { open_id: "-000abc", display_name: "Ada", avatar_url: "https://p16.tiktokcdn.example/ada.jpeg" };
export const OK = { code: "ok", message: "", log_id: "20260101000000AAAA" };
/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: TikTok,
  id: "tiktok",
  name: "TikTok",
  authorizationUrl: "https://www.tiktok.com/v2/auth/authorize/?client_key=client-id&scope=user.info.basic",
  checks: ["state"],
  profile: { data: { user: USER }, error: OK },
  profileWithoutId: { data: { user: { ...USER, open_id: "" } }, error: OK },
  tokens: { open_id: USER.open_id, refresh_token: "rft", refresh_expires_in: 31_536_000, scope: "user.info.basic" },
  user: { id: USER.open_id, name: "Ada", email: null, image: USER.avatar_url },
};
