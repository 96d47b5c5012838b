export { VK, VK as default, type VKOptions } from "./vk.ts";
export { VKID, type VKIDProfile } from "./vk-id.ts";
export type { VKProfile } from "./vk-profile.ts";
