"use client";

import { type ReactNode, useActionState } from "react";
import type { Problem } from "./actions";

/** A form for a server action; it works before, and without, any script. */
export function SignInForm({
  action,
  callbackUrl,
  submit,
  children,
}: {
  readonly action: (before: Problem, form: FormData) => Promise<Problem>;
  readonly callbackUrl: string;
  readonly submit: string;
  readonly children?: ReactNode;
}) {
  const [problem, send, isPending] = useActionState(action, null);
  return (
    <form action={send} className="enter">
      <input type="hidden" name="redirectTo" value={callbackUrl} />
      {problem !== null && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {children}
      <button type="submit" className="button main" aria-disabled={isPending}>
        {submit}
      </button>
    </form>
  );
}
