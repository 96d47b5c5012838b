/** Types of provider objects, and what provider packages use. */
export type { EmailCodes, EmailCodeTools, LoadedEmailCodes } from "./model/email-codes.ts";
export * from "./model/oauth-provider.ts";
export * from "./model/provider.ts";
export { isLoopbackHost } from "./protocol/parse-url.ts";
export { providerOptions } from "./protocol/provider-options.ts";
