/** Single logout between an application and its identity providers. */

export { logout } from "./logout.ts";
export type { LogoutOptions } from "./settings.ts";
