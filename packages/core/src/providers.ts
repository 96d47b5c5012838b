/** Types of provider objects, and the symbols they use. */
export * from "./model/provider.ts";
