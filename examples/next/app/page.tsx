import Link from "next/link";
import { auth } from "@/auth";
import { Door } from "@/components/door";
import { DEMO_USER } from "@/lib/passwords";

export default async function Page() {
  const session = await auth();
  return (
    <>
      <section className="hero">
        <div>
          {session === null ? (
            <>
              <h1>One door, and you hold the key</h1>
              <p className="lead">
                Behind it are pages that only members see. Sign in, look at your session from the inside, and leave
                again.
              </p>
              <p className="actions">
                <Link className="button main" href="/sign-in?callbackUrl=/members">
                  Sign in
                </Link>
                <Link className="button" href="/members" prefetch={false}>
                  Try the door without
                </Link>
              </p>
            </>
          ) : (
            <>
              <h1>Welcome back, {session.user?.name ?? "member"}</h1>
              <p className="lead">The door is open. Your session stays with this browser until you sign out.</p>
              <p className="actions">
                <Link className="button main" href="/members">
                  Go to the members’ pages
                </Link>
              </p>
            </>
          )}
        </div>
        <Door />
      </section>
      <section className="ways" aria-labelledby="ways">
        <h2 id="ways">Four ways in</h2>
        <div className="card">
          <h3>With an account elsewhere</h3>
          <p>
            An OpenID Provider on this machine stands in for the one your people use. Choose anyone there: nobody has a
            password.
          </p>
        </div>
        <div className="card">
          <h3>With a link by e-mail</h3>
          <p>
            Any address will do. The mail does not leave this machine: it is in the <Link href="/inbox">inbox</Link>.
          </p>
        </div>
        <div className="card">
          <h3>With a passkey</h3>
          <p>
            Your finger, your face or a key, on this device or on your phone. Create an account with one, or add one to
            yours on the members’ page. Passkeys belong to a name, so stay at <code>localhost</code>.
          </p>
        </div>
        <div className="card">
          <h3>With a user name and password</h3>
          <p>One person has both:</p>
          <dl className="facts">
            <div>
              <dt>User name</dt>
              <dd>
                <code>{DEMO_USER.username}</code>
              </dd>
            </div>
            <div>
              <dt>Password</dt>
              <dd>
                <code>{DEMO_USER.password}</code>
              </dd>
            </div>
          </dl>
        </div>
      </section>
      <section className="try" aria-labelledby="try">
        <h2 id="try">Worth a try</h2>
        <ul>
          <li>Open the live page in two tabs, change your name in one, and look at the other.</li>
          <li>Sign out in one tab, and look at the other.</li>
          <li>Type the address of a members’ page without a session, in capitals or with a %6D for the m.</li>
          <li>Begin to sign in in two tabs, then finish both.</li>
          <li>Switch scripts off: signing in and out needs none.</li>
        </ul>
      </section>
    </>
  );
}
