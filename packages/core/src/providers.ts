/** Types of provider objects, and what provider packages use. */
export * from "./model/oauth-provider.ts";
export * from "./model/provider.ts";
export { isLoopbackHost } from "./protocol/parse-url.ts";
export { providerOptions } from "./protocol/provider-options.ts";
