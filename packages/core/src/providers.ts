/** Types of provider objects, and the symbols they use. */
export * from "./model/oauth-provider.ts";
export * from "./model/provider.ts";
