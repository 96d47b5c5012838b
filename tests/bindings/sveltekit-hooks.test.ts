/** What SvelteKit does between the guard and a page: hooks that redirect, and `reroute` (docs/sveltekit.md#guarding). */
import type { RunningBinding } from "@cardea/testing/binding-contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APPLICATIONS } from "./applications.ts";

const running = APPLICATIONS.filter(({ name, skipped }) => name.includes("sveltekit") && skipped === undefined);

describe.each(running)("hooks of $name", ({ start, headers = {} }) => {
  let app: RunningBinding;
  beforeAll(async () => {
    app = await start({ AUTH_SECRET: "a secret of more than thirty-two bytes for tests" });
  });
  afterAll(() => app.stop());
  const ask = (path: string, own: Readonly<Record<string, string>> = {}) =>
    fetch(`${app.origin}${path}`, { headers: { ...headers, ...own }, redirect: "manual" });
  /** The cookies of a user who has signed in. */
  async function signIn(): Promise<string> {
    const { csrfToken, cookies } = await csrf();
    const body = new URLSearchParams({ csrfToken, username: "Ann", password: "correct" });
    const answer = await fetch(`${app.origin}/auth/callback/credentials`, {
      ...{ method: "POST", body, redirect: "manual" as const },
      headers: { ...headers, cookie: cookies, origin: app.origin },
    });
    return pairsOf(answer);
  }
  async function csrf() {
    const answer = await ask("/auth/csrf");
    const { csrfToken }: { csrfToken: string } = await answer.json();
    return { csrfToken, cookies: pairsOf(answer) };
  }
  const pairsOf = (answer: Response): string =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ");

  it.each(["/moved", "/returned"])("keep the renewed session of a redirect from a later one: %s", async (path) => {
    const cookie = await signIn();
    const answer = await ask(path, { cookie });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, "/open"]);
    const data = await ask(`${path}/__data.json`, { cookie });
    expect([data.status, await data.json()]).toEqual([200, { type: "redirect", status: 301, location: "/open" }]);
    for (const one of [answer, data]) {
      expect(pairsOf(one)).toMatch(/cardea\.session-token=ey/);
      expect(one.headers.get("cache-control")).toBe("private, no-cache, no-store");
    }
    expect(pairsOf(await ask(path))).toBe("");
  });

  it("a page is guarded by the path that the browser sees, also where `reroute` leads to it", async () => {
    for (const path of ["/members/alias", "/members/alias/__data.json"])
      expect([path, (await (await ask(path)).text()).includes("SECRET")]).toEqual([path, false]);
    // `authorized` opens /alias, and the page asks for no session.
    expect(await (await ask("/alias")).text()).toBe("SECRET of undefined");
    expect(await (await ask("/alias", { cookie: await signIn() })).text()).toBe("SECRET of Ann");
  });
});
