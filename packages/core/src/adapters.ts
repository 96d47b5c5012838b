/** The adapter contract: methods and records. */
export * from "./model/adapter.ts";
export type * from "./model/store.ts";
export { canSignIn, decideRemoval, type SignInRecords, tablesOfRemoval } from "./protocol/decide-removal.ts";
export { userByAddress } from "./protocol/user-by-address.ts";
export { type ExtendOptions, extend } from "./store/extend-adapter.ts";
export { type MemoryStoreOptions, memoryStore } from "./store/memory-store.ts";
export { hasErrorCode, retryPassing } from "./store/retry-passing.ts";
export {
  type StateLogRow,
  type StateLogTable,
  type StateRow,
  type StateTable,
  tableStore,
  type UnchangedState,
} from "./store/table-store.ts";
