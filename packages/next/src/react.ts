/** The browser's side: `SessionProvider`, `useSession`, `signIn`, `signOut` and what else `@cardea/client/react` has. */

export * from "@cardea/client/react";
