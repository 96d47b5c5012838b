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
                  Try without signing in
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
        <h2 id="ways">Five ways to sign in</h2>
        <div className="card">
          <h3>With an external account</h3>
          <p>
            An OpenID Provider on this machine simulates the one your users have. Choose any account; no password is
            needed.
          </p>
        </div>
        <div className="card">
          <h3>With a link by e-mail</h3>
          <p>
            Use any address. E-mails do not leave this machine; they are in the <Link href="/inbox">inbox</Link>.
          </p>
        </div>
        <div className="card">
          <h3>With a passkey</h3>
          <p>
            Your fingerprint, face or security key, on this device or on your phone. Create an account with one, or add
            one to yours on the members’ page. Passkeys belong to a name, so stay at <code>localhost</code>.
          </p>
        </div>
        <div className="card">
          <h3>With a user name and password</h3>
          <p>This user has a password:</p>
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
        <div className="card">
          <h3>With a passphrase of your own</h3>
          <p>
            Register with any address, then add an authenticator app on the members’ page: from then on each way to sign
            in asks for it.
          </p>
        </div>
      </section>
      <section className="try" aria-labelledby="try">
        <h2 id="try">Things to try</h2>
        <ul>
          <li>Open the live page in two tabs, change your name in one, and look at the other.</li>
          <li>Sign out in one tab, and look at the other.</li>
          <li>Type the address of a members’ page without a session, in capitals or with a %6D for the m.</li>
          <li>Start a sign-in in two tabs, then complete both.</li>
          <li>Open the safe, and send euros with a passkey: both ask again who you are.</li>
          <li>Disable JavaScript: you can still sign in and out.</li>
        </ul>
      </section>
    </>
  );
}
