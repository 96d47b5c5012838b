export { VK, VK as default, type VKOptions } from "./vk.ts";
export type { VKProfile } from "./vk-profile.ts";
