export { Auth } from "./auth.ts";
export {
  type AuthenticatedRequest,
  type AuthFunction,
  type AuthInstance,
  createAuth,
  type SignInOptions,
  type SignOutOptions,
} from "./create-auth.ts";
export { skipCSRFCheck } from "./model/config.ts";
export { customFetch } from "./model/provider.ts";
export type { AuthorizationParams } from "./operations.ts";
export type { ConfigSource, SessionFirst } from "./runtime-config.ts";
export type * from "./types.ts";
