"use client";

import { type FormEvent, useState } from "react";
import { SessionFacts } from "@/components/session-facts";
import { signOut, useSession } from "@/lib/session-client";
import { useHasScript } from "@/lib/use-has-script";

/** The session as the browser knows it: it follows what other tabs do. */
export function LiveSession() {
  const { data: session, status, update, error } = useSession();
  const hasScript = useHasScript();
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name");
    setSaving(true);
    setProblem(null);
    // What cannot be saved is said; the session shown stays as it was.
    await update({ name }).catch(() => setProblem("That could not be saved. Try again."));
    setSaving(false);
  }

  return (
    <div className="columns">
      <section className="card" aria-labelledby="live">
        <h2 id="live">Live</h2>
        <p>
          Status: <code data-testid="status">{status}</code>
        </p>
        {error !== undefined && (
          <p role="status" className="problem">
            The server is currently unreachable.
          </p>
        )}
        {session === null ? <p>You are no longer signed in here.</p> : <SessionFacts session={session} />}
      </section>
      {session !== null && (
        <section className="card" aria-labelledby="change">
          <h2 id="change">Change it</h2>
          <form onSubmit={save} className="rename">
            {problem !== null && (
              <p role="alert" className="problem">
                {problem}
              </p>
            )}
            <label htmlFor="live-name">Display name</label>
            <div className="row">
              <input id="live-name" name="name" defaultValue={session.user?.name ?? ""} required maxLength={60} />
              <button type="submit" className="button" disabled={isSaving || !hasScript}>
                Save
              </button>
            </div>
          </form>
          <p className="actions">
            <button type="button" className="button" disabled={!hasScript} onClick={() => signOut({ redirectTo: "/" })}>
              End this session
            </button>
          </p>
        </section>
      )}
    </div>
  );
}
