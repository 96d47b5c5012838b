import { createContext } from "react";
import type { SessionStore } from "./session-store.ts";

/** The store of the nearest provider. */
export const SessionContext = createContext<SessionStore<unknown> | null>(null);
