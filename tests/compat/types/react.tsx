// The browser's side.
"use client";
import type { Session } from "@cardea/next";
import {
  getCsrfToken,
  getProviders,
  getSession,
  SessionProvider,
  type SignInOptions,
  type SignInResponse,
  type SignOutParams,
  signIn,
  signOut,
  useSession,
} from "@cardea/next/react";
import type { ReactNode } from "react";

// 39. The provider of the session.
export function Providers({ children, session }: { children: ReactNode; session: Session | null }) {
  return (
    <SessionProvider session={session} refetchInterval={60} refetchOnWindowFocus={false}>
      {children}
    </SessionProvider>
  );
}

// 40. useSession, in both forms.
export function Badge() {
  const { data: session, status, update } = useSession();
  if (status === "loading") return <p>…</p>;
  if (status === "unauthenticated")
    return (
      <button type="button" onClick={() => signIn("github")}>
        Sign in
      </button>
    );
  return (
    <button type="button" onClick={() => update({ name: "Ann" })}>
      {session?.user.role}
    </button>
  );
}
export function Members() {
  const { data, status } = useSession({ required: true });
  if (status === "loading") return null;
  return <p>{data.user.id}</p>;
}
export function Visitors() {
  const session = useSession({ required: true, onUnauthenticated: () => void signIn() });
  return session.status === "authenticated" ? <p>{session.data.user.email}</p> : null;
}

// 41. Sign-in without leaving the page.
export async function submit(email: string, password: string): Promise<string | undefined> {
  const response: SignInResponse | undefined = await signIn("credentials", { email, password, redirect: false });
  if (response?.error) return response.code ?? response.error;
  if (response?.ok) window.location.href = response.url ?? "/";
}

// 42. Options by their type, and the other calls.
export const leave = (options: SignOutParams) => signOut(options);
export const enter = (options: SignInOptions<true>) => signIn(undefined, options, { prompt: "login" });
export async function others() {
  const [session, token, providers] = await Promise.all([getSession(), getCsrfToken(), getProviders()]);
  return [session?.user.name, token, providers.map(({ id, name, signinUrl }) => [id, name, signinUrl])];
}
