import Link from "next/link";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { auth } from "@/auth";
import { Avatar } from "@/components/avatar";
import { SessionProvider } from "@/lib/session-client";

/** What all members' pages share. Each page asks for itself as well: a layout is not rendered again between them. */
export default async function Layout({ children }: { readonly children: ReactNode }) {
  const session = await auth();
  if (session === null) redirect("/sign-in?callbackUrl=/members");
  return (
    <SessionProvider session={session}>
      <section className="hello card">
        <Avatar user={session.user} />
        <div>
          <h1>Hello, {session.user?.name ?? "member"}</h1>
          <p className="lead">Only members see this page.</p>
        </div>
      </section>
      <nav className="tabs" aria-label="Members">
        <Link href="/members">On the server</Link>
        <Link href="/members/provider">At the provider</Link>
        <Link href="/members/live">In the browser</Link>
        <Link href="/classic">In the Pages Router</Link>
      </nav>
      {children}
    </SessionProvider>
  );
}
