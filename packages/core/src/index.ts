export { isAuthAction } from "./actions/routes.ts";
// So that an application can extend their types with `declare module` alone.
export type {} from "./adapters.ts";
export type {} from "./jwt.ts";
export { raw, skipCSRFCheck } from "./model/config.ts";
export { customFetch } from "./model/oauth-provider.ts";
export type { AuthorizationParams } from "./operations.ts";
export type {} from "./providers.ts";
export type { AuthenticatedRequest, AuthFunction } from "./server/auth-function.ts";
export type { ConfigSource, SessionFirst } from "./server/config-resolver.ts";
export { createActionURL } from "./server/create-action-url.ts";
export type {
  AuthInstance,
  SignInArguments,
  SignInOptions,
  SignOutOptions,
} from "./server/create-auth.ts";
export { setEnvDefaults } from "./server/set-env-defaults.ts";
export { Auth, createAuth } from "./standard.ts";
export type * from "./types.ts";
