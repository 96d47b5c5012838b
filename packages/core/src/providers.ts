/** The types and marks of provider objects. */
export * from "./model/provider.ts";
