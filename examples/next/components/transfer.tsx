"use client";

import { withStepUp } from "@cardea/step-up/client";
import { type FormEvent, useState } from "react";
import { useHasScript } from "@/lib/use-has-script";

/** Sends a transfer: opens the page that asks for the passkey, and sends it once more. */
export function Transfer() {
  const hasScript = useHasScript();
  const [sent, setSent] = useState("");
  const [isBusy, setBusy] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = JSON.stringify({ amount: form.get("amount"), to: form.get("to") });
    setBusy(true);
    // The key is the same both times, so that a server can tell a repetition.
    const transfer = withStepUp(({ idempotencyKey }) =>
      fetch("/api/transfer", { method: "POST", body, headers: { "idempotency-key": idempotencyKey } }),
    );
    const response = await transfer();
    const { message }: { readonly message?: string } = await response.json();
    setSent(response.ok && message !== undefined ? message : "Nothing was sent.");
    setBusy(false);
  }

  if (!hasScript) return <p className="hint">Transfers need JavaScript: a passkey signs them.</p>;
  return (
    <form onSubmit={send} className="rename">
      <label htmlFor="amount">Send euros</label>
      <div className="row">
        <input id="amount" name="amount" defaultValue="100" inputMode="numeric" required />
      </div>
      <label htmlFor="to">To</label>
      <div className="row">
        <input id="to" name="to" defaultValue="NL91 ABNA 0417 1643 00" required />
        <button type="submit" className="button" disabled={isBusy}>
          Send
        </button>
      </div>
      <p role="status">{sent}</p>
    </form>
  );
}
