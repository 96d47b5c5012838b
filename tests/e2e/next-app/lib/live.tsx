"use client";

import { SessionProvider, signIn, signOut, useSession } from "@cardea/next/react";

/** The session as the browser sees it, and the ways in and out from there. */
export function Live() {
  return (
    <SessionProvider basePath={`${process.env.APP_PATH ?? ""}/api/auth`}>
      <Status />
    </SessionProvider>
  );
}

function Status() {
  const { data, status } = useSession();
  const enter = () => signIn("credentials", { username: "Ann", password: "correct", redirect: false });
  return (
    <>
      <p data-testid="status">{`${status} ${JSON.stringify(data)}`}</p>
      <button type="button" onClick={() => void enter()}>
        enter
      </button>
      <button type="button" onClick={() => void signOut({ redirect: false })}>
        leave
      </button>
      <button type="button" onClick={() => void signIn()}>
        page
      </button>
    </>
  );
}
