import type { GetServerSideProps } from "next";
import { auth, type MemberSession } from "@/auth";
import { SessionFacts } from "@/components/session-facts";
import { signOut } from "@/lib/session-client";
import { useHasScript } from "@/lib/use-has-script";

interface Props {
  readonly session: MemberSession;
}

export const getServerSideProps: GetServerSideProps<Props> = async (context) => {
  const session = await auth(context);
  if (session === null) return { redirect: { destination: "/sign-in?callbackUrl=/classic", permanent: false } };
  return { props: { session } };
};

/** A page of the Pages Router, for members. */
export default function Page({ session }: Props) {
  const hasScript = useHasScript();
  return (
    <section className="card">
      <h1>Hello, {session.user?.name ?? "member"}</h1>
      <p>
        What <code>await auth(context)</code> returns in <code>getServerSideProps</code>:
      </p>
      <SessionFacts session={session} />
      <p className="actions">
        {/* A document of its own: the App Router has another layout. */}
        <a className="button main" href="/members">
          Members’ pages
        </a>
        <button type="button" className="button" disabled={!hasScript} onClick={() => signOut({ redirectTo: "/" })}>
          Sign out
        </button>
      </p>
    </section>
  );
}
