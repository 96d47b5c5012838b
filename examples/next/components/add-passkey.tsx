"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { explainPasskey } from "@/lib/passkey-texts";
import { registerPasskey } from "@/lib/session-client";
import { useHasScript } from "@/lib/use-has-script";

/** The button that makes one more passkey for a user who is signed in. */
export function AddPasskey() {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const hasScript = useHasScript();

  async function add() {
    setBusy(true);
    const response = await registerPasskey({ redirect: false });
    setProblem(explainPasskey(response));
    setBusy(false);
    // The list is the server's: it has one more now.
    if (response.ok) router.refresh();
  }

  return (
    <>
      {problem !== null && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <p className="actions">
        <button type="button" className="button" onClick={add} disabled={isBusy || !hasScript}>
          Add a passkey
        </button>
      </p>
    </>
  );
}
