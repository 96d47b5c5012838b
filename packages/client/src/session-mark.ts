/**
 * The current mark of the session: a cookie that scripts can read, and that the server replaces at sign-in, update and sign-out. With
 * several applications on a host, those of all of them.
 */
export function readSessionMark(): string {
  return String(document.cookie.match(/cardea\.session-mark=[^;]*/g));
}

/** How often cookies are read where the browser does not report changes, in milliseconds. */
const INTERVAL = 1000;

/** Calls `look` whenever cookies may have changed. Returns a function that stops. */
export function watchCookies(look: () => void): () => void {
  // In secure contexts of current browsers (Cookie Store API §1).
  const store: EventTarget | undefined = Reflect.get(globalThis, "cookieStore");
  store?.addEventListener("change", look);
  const timer = store ? undefined : setInterval(look, INTERVAL);
  return () => {
    store?.removeEventListener("change", look);
    clearInterval(timer);
  };
}
