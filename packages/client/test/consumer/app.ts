// An application as another user writes it, with a field of its own in every session. Compiled by session-of.test.ts.

import { createClient, getSession } from "@cardea/client";
import { createClient as createReactClient, type SessionState, useSession } from "@cardea/client/react";
import { createAuth } from "@cardea/core";

declare module "@cardea/core" {
  interface Session {
    plan?: "free" | "paid" | undefined;
  }
}

export const { auth } = createAuth({
  secret: "a secret of more than thirty-two bytes for tests",
  providers: [],
  callbacks: {
    session: ({ session, token }) => ({ expires: session.expires, id: token.sub ?? "", roles: ["reader"] as const }),
  },
});

export const client = createClient<typeof auth>({ basePath: "/auth" });
export const { SessionProvider, useSession: useTypedSession, signIn } = createReactClient<typeof auth>();

export async function rolesOf(): Promise<readonly "reader"[]> {
  const session = await client.getSession();
  // @ts-expect-error what the callback did not return is not there
  session?.user;
  return session?.roles ?? [];
}

export async function planOf(): Promise<"free" | "paid" | undefined> {
  const session = await getSession();
  return session?.plan;
}

export function usePlan(): "free" | "paid" | undefined {
  return useSession().data?.plan;
}

export function useId() {
  const state = useTypedSession({ required: true });
  return state.status === "loading" ? undefined : state.data.id;
}

export function describe(state: SessionState<{ readonly id: string }>): string {
  return state.status === "authenticated" ? state.data.id : state.status;
}
