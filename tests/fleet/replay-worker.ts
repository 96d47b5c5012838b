// One process of the test: signs in, out, and reads, as it is told; its clock may be wrong.
import { createAuth } from "@cardea/core";
import type { Store } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { createBrowser } from "@cardea/testing";

const ORIGIN = "https://app.example.com";
/** What a process adds to whom a cookie opens while its log of ended sessions says that the store is away. */
export const AWAY = ", while the store is away";

/** What a process is asked to do. */
export type Task =
  | { readonly kind: "sign in"; readonly users: readonly string[] }
  | { readonly kind: "sign out"; readonly cookies: readonly string[] }
  | { readonly kind: "end all"; readonly cookies: readonly string[] }
  | { readonly kind: "read"; readonly cookies: readonly string[] };

/** What it answers: a cookie for each user, whether a session is said to have ended, or what each cookie opens. */
export type Answer = readonly (string | null)[];

/** Runs a process of an application on a store. */
export function runWorker(store: Store, clockOffset: number): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() + 1000 * clockOffset;
  let isAway = false;
  const warn = (text: string) => {
    if (text.startsWith("sessions-log-")) isAway = text.startsWith("sessions-log-away");
  };
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: () => {}, warn, debug: () => {} },
    store,
    extensions: [sessions()],
    providers: [
      {
        id: "name",
        name: "Name",
        type: "credentials",
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: String(name), name: String(name) }),
      },
    ],
  });
  const answer = (request: Request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
  const send = (path: string, cookie: string, init: RequestInit = {}) =>
    answer(new Request(`${ORIGIN}/auth/${path}`, { ...init, headers: { ...init.headers, cookie } }));

  const signIn = async (name: string): Promise<string> => {
    const browser = createBrowser(answer, { origin: ORIGIN });
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, name });
    await browser.fetch("/auth/callback/name", { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } });
    return browser.cookies
      .list()
      .filter((cookie) => cookie.name.includes("session-token"))
      .map((cookie) => `${cookie.name}=${cookie.value}`)
      .join("; ");
  };
  const post = async (
    path: string,
    cookie: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<string | null> => {
    const csrf = await send("csrf", cookie);
    const { csrfToken } = await csrf.json();
    const all = [cookie, ...csrf.headers.getSetCookie().map((line) => line.split(";")[0])].join("; ");
    const body = new URLSearchParams({ csrfToken, ...fields });
    const done = await send(path, all, { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } });
    if (!done.ok) return null;
    // Of a machine that is busy the store may be away for a moment: then no answer says that a session has ended.
    const { complete } = await done.json();
    return complete === false ? null : "done";
  };
  const read = async (cookie: string): Promise<string | null> => {
    const read = await send("session", cookie);
    if (!read.ok) return String(read.status);
    const session = await read.json();
    return session === null ? null : `${session.user.name}${isAway ? AWAY : ""}`;
  };
  const run = (task: Task): Promise<Answer> => {
    switch (task.kind) {
      case "sign in":
        return inTurns(task.users, signIn);
      case "sign out":
        return inTurns(task.cookies, (cookie) => post("signout", cookie, {}));
      case "end all":
        return inTurns(task.cookies, (cookie) => post("sessions", cookie, { end: "all" }));
      case "read":
        return inTurns(task.cookies, read);
    }
  };
  process.on("message", async (task: Task) => process.send?.(await run(task)));
  process.send?.("ready");
}

/** Ten at a time: a crowd at the same moment is another test. */
async function inTurns(all: readonly string[], work: (one: string) => Promise<string | null>): Promise<Answer> {
  const answers: (string | null)[] = [];
  for (let from = 0; from < all.length; from += 10) {
    answers.push(...(await Promise.all(all.slice(from, from + 10).map(work))));
  }
  return answers;
}
