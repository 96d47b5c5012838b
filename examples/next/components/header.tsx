import Link from "next/link";
import { leave } from "@/app/actions";
import { auth } from "@/auth";
import { Avatar } from "./avatar";
import { Brand } from "./brand";

export async function Header() {
  const session = await auth();
  return (
    <header>
      <Brand />
      <nav aria-label="Main">
        {/* Strangers would only be told that they are. */}
        <Link href="/members" prefetch={session === null ? false : null}>
          Members
        </Link>
        <Link href="/inbox">Inbox</Link>
        {session === null ? (
          <Link className="button small" href="/sign-in?callbackUrl=/members">
            Sign in
          </Link>
        ) : (
          <form action={leave}>
            {/* A page of the library: `Link` would look for one of the application's. */}
            <a className="me" href="/api/auth/account">
              <Avatar user={session.user} />
              <span className="name">{session.user?.name ?? "Member"}</span>
            </a>
            <button type="submit" className="button small">
              Sign out
            </button>
          </form>
        )}
      </nav>
    </header>
  );
}
