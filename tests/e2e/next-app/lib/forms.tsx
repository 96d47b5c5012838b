"use client";

import { useActionState } from "react";
import { enter, leave, toSignInPage, update } from "./actions";

/** Forms that work without scripts, and say what their action returned. */
export function Forms() {
  const [entered, sendEnter] = useActionState(enter, "");
  const [left, sendLeave] = useActionState(leave, "");
  const [updated, sendUpdate] = useActionState(update, "");
  const [went, sendPage] = useActionState(toSignInPage, "");
  return (
    <>
      <form action={sendEnter}>
        <input name="username" aria-label="User name" />
        <input name="password" aria-label="Password" />
        <button type="submit">enter</button>
        <output>{entered}</output>
      </form>
      <form action={sendLeave}>
        <button type="submit">leave</button>
        <output>{left}</output>
      </form>
      <form action={sendUpdate}>
        <input name="nick" aria-label="Nick" />
        <button type="submit">update</button>
        <output>{updated}</output>
      </form>
      <form action={sendPage}>
        <button type="submit">page</button>
        <output>{went}</output>
      </form>
    </>
  );
}
