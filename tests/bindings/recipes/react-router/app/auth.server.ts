import { createAuth, type Session } from "@cardea/core";
import { GitHub } from "@cardea/providers-github";
import { createContext } from "react-router";

export const { handlers, auth, signOut } = createAuth({ providers: [GitHub] });
export const sessionContext = createContext<Session | null>(null);
