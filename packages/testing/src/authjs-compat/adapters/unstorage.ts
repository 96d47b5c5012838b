import { UnstorageAdapter } from "@auth/unstorage-adapter";
import type { Adapter } from "@cardea/core/adapters";
import { createStorage } from "unstorage";

/** `@auth/unstorage-adapter` as it comes from npm, in memory. */
export async function openUnstorageAdapter(): Promise<{ readonly adapter: Adapter; close(): Promise<void> }> {
  const storage = createStorage();
  return { adapter: UnstorageAdapter(storage), close: () => storage.dispose() };
}
