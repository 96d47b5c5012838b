export { TikTok, TikTok as default, type TikTokOptions } from "./tiktok.ts";
export type { TikTokField, TikTokProfile } from "./tiktok-profile.ts";
