import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { leaveEverywhere, openSafe, rename } from "@/app/actions";
import { auth } from "@/auth";
import { AddPasskey } from "@/components/add-passkey";
import { SessionFacts } from "@/components/session-facts";
import { Transfer } from "@/components/transfer";
import { listPasskeys } from "@/lib/database";

export const metadata: Metadata = { title: "Members" };

export default async function Page() {
  const session = await auth();
  if (session === null) redirect("/sign-in?callbackUrl=/members");
  const passkeys = await listPasskeys(session.userId);
  return (
    <div className="columns">
      <section className="card" aria-labelledby="you">
        <h2 id="you">You</h2>
        <SessionFacts session={session} />
        <form action={rename} className="rename">
          <label htmlFor="name">Display name</label>
          <div className="row">
            <input
              id="name"
              name="name"
              defaultValue={session.user?.name ?? ""}
              required
              maxLength={60}
              autoComplete="name"
            />
            <button type="submit" className="button">
              Save
            </button>
          </div>
        </form>
      </section>
      <section className="card" aria-labelledby="passkeys">
        <h2 id="passkeys">Passkeys</h2>
        <p>
          {passkeys.length === 0
            ? "You have no passkeys yet. A passkey lets you sign in with your fingerprint, face or security key."
            : "You can sign in with any of them, without a password."}
        </p>
        <ul className="accounts">
          {passkeys.map(({ id, isBackedUp }) => (
            <li key={id}>
              <span>
                Passkey <code>{id.slice(0, 8)}…</code>
              </span>
              <span className={isBackedUp ? "state on" : "state"}>{isBackedUp ? "Backed up" : "On one device"}</span>
            </li>
          ))}
        </ul>
        <AddPasskey />
      </section>
      <section className="card wide" aria-labelledby="security">
        <h2 id="security">Security</h2>
        <ul className="accounts">
          <li>
            <span>Two-step verification</span>
            <a className="button small" href="/api/auth/factors">
              Manage<span className="hidden"> two-step verification</span>
            </a>
          </li>
          <li>
            <span>Passphrase</span>
            <a className="button small" href="/api/auth/password">
              Change<span className="hidden"> passphrase</span>
            </a>
          </li>
          <li>
            <span>The safe</span>
            <form action={openSafe}>
              <button type="submit" className="button small">
                Open<span className="hidden"> the safe</span>
              </button>
            </form>
          </li>
        </ul>
        <Transfer />
      </section>
      <section className="card wide" aria-labelledby="session">
        <h2 id="session">Your session</h2>
        <p>
          What <code>await auth()</code> returns:
        </p>
        <pre>
          <code>{JSON.stringify(session, shorten, 2)}</code>
        </pre>
        <p>
          The same as JSON: <a href="/api/auth/session">/api/auth/session</a>
        </p>
        <form action={leaveEverywhere} className="actions">
          <button type="submit" className="button">
            Sign out here and at the provider
          </button>
        </form>
      </section>
    </div>
  );
}

/** A picture within the session is no pleasure to read. */
function shorten(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.length > 80 ? `${value.slice(0, 60)}…` : value;
}
