/** The database of the guide about roles. */

import type { Adapter } from "@cardea/core/adapters";
import type { Provider } from "@cardea/core/providers";
import { createMemoryAdapter } from "@cardea/testing";

export const memory = createMemoryAdapter({ keepIds: true });
export const adapter: Adapter = memory.adapter;
export const providers: Provider[] = [];
