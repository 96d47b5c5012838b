/** Logout between an application and the providers that its users come from. */

export { logout } from "./logout.ts";
export type { LogoutOptions } from "./settings.ts";
