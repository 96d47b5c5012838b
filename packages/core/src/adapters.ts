/** The adapter contract: methods and records. */
export * from "./model/adapter.ts";
export type * from "./model/store.ts";
