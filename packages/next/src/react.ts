/**
 * The browser client: `SessionProvider`, `useSession`, `signIn`, `signOut` and everything else in `@cardea/client/react`.
 */

export * from "@cardea/client/react";
