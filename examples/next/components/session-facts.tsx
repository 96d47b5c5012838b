import type { MemberSession } from "@/auth";

const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A session from the inside. */
export function SessionFacts({ session }: { readonly session: MemberSession }) {
  const { user, expires, signedInWith } = session;
  return (
    <dl className="facts">
      <div>
        <dt>Name</dt>
        <dd>{user?.name ?? "not provided"}</dd>
      </div>
      <div>
        <dt>E-mail</dt>
        <dd>{user?.email ?? "not provided"}</dd>
      </div>
      <div>
        <dt>Signed in with</dt>
        <dd>
          <code>{signedInWith}</code>
        </dd>
      </div>
      <div>
        <dt>Session ends</dt>
        <dd>
          <time dateTime={expires}>{TIME.format(new Date(expires))} UTC</time>
        </dd>
      </div>
    </dl>
  );
}
