"use client";

import { type FormEvent, useEffect, useState } from "react";
import { explainPasskey } from "@/lib/passkey-texts";
import { registerPasskey, signInWithPasskey } from "@/lib/session-client";
import { useHasScript } from "@/lib/use-has-script";

/** Signs in with a passkey, creates an account with one, and has the browser offer those that it knows in the field. */
export function PasskeyForm({ callbackUrl }: { readonly callbackUrl: string }) {
  // Nothing on the server: it takes a script.
  const hasScript = useHasScript();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);

  // Again after each try: another passkey call ends what the browser offers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` counts the calls that have ended it
  useEffect(() => {
    const page = new AbortController();
    // Where a browser cannot offer them there is the button.
    signInWithPasskey({ autofill: true, redirectTo: callbackUrl, signal: page.signal });
    return () => page.abort();
  }, [callbackUrl, tries]);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { nativeEvent } = event;
    const pressed = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    const email = new FormData(event.currentTarget).get("email") || undefined;
    const isNew = pressed?.getAttribute("value") === "register";
    if ((isNew || email !== undefined) && !event.currentTarget.reportValidity()) return;
    setBusy(true);
    setProblem(null);
    const options = { email, redirectTo: callbackUrl, redirect: false };
    const response = await (isNew ? registerPasskey(options) : signInWithPasskey(options));
    if (response.ok) return location.assign(response.url);
    setProblem(explainPasskey(response));
    setBusy(false);
    setTries((count) => count + 1);
  }

  if (!hasScript) return <p className="hint">Passkeys need JavaScript.</p>;
  return (
    <form onSubmit={send} className="enter" noValidate>
      {problem !== null && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <label htmlFor="passkey-email">E-mail address of your passkey</label>
      <input
        id="passkey-email"
        name="email"
        type="email"
        required
        autoComplete="username webauthn"
        aria-describedby="passkey-hint"
      />
      <p className="hint" id="passkey-hint">
        You can leave this empty if you already have a passkey.
      </p>
      <button type="submit" value="authenticate" className="button main" disabled={isBusy}>
        Sign in with a passkey
      </button>
      <button type="submit" value="register" className="button" disabled={isBusy}>
        Create an account with a passkey
      </button>
    </form>
  );
}
