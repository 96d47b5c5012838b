import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type DatabaseCase, setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, COOKIE, recordOf } from "../harness/harness.ts";

const NAME = "__Secure-app.session";

/** One application, whose session cookie has other domains from time to time, and one browser. */
function start(strategy: "jwt" | "database", origin = "https://a.app.example.com", name = NAME) {
  const memory = createMemoryAdapter();
  let last: DatabaseCase | undefined;
  return (domain: string | undefined): DatabaseCase => {
    const cookies = { sessionToken: { name, options: { domain } } };
    const next = setUpDatabase({
      ...{ strategy, memory, origin },
      config: { cookies, session: { updateAge: 0 } },
      alsoTo: ["https://op.example.com"],
    });
    if (last !== undefined) next.browser.cookies.restore(last.browser.cookies.snapshot());
    last = next;
    return next;
  };
}

const scopesOf = (c: Case, of = NAME) => c.browser.cookies.list().filter(({ name }) => name.startsWith(of));

function signIn(c: Case, name: string) {
  c.op.user = { sub: name, name, email: `${name}@example.com`, email_verified: true };
  return c.signInWithOp();
}

const userOf = async (c: Case) => Object(await c.session()).user?.name;

/** The session cookies that a response sets, as `value; Domain`. */
const linesOf = (response: Response, name = NAME) =>
  recordOf(response)
    .headers.getSetCookie()
    .filter((line) => line.startsWith(name))
    .map((line) => `${line.startsWith(`${name}=;`) ? "" : "x"}; ${/(?<=Domain=)[^;]*/.exec(line) ?? "host"}`);

describe.each(["jwt", "database"] as const)("a session cookie in another scope, with the strategy %s", (strategy) => {
  it.each([
    ["was added", undefined, "example.com"],
    ["became wider", "app.example.com", ".Example.com"],
    ["became narrower", "example.com", "app.example.com"],
    ["was removed", "example.com", undefined],
    ["that is the host was removed", "a.app.example.com", undefined],
  ])("when a domain %s, users can sign out, and another user sign in", async (_, before, after) => {
    const configure = start(strategy);
    await signIn(configure(before), "ann");
    const c = configure(after);
    expect(await userOf(c)).toBe("ann");
    await c.signOut();
    expect([await userOf(c), scopesOf(c)]).toEqual([undefined, []]);

    await signIn(configure(before), "ann");
    const later = configure(after);
    await later.browser.submit(await signIn(later, "bob"), { button: "Sign in as someone else", follow: "all" });
    expect([await userOf(later), scopesOf(later).length]).toEqual(["bob", 1]);
  });

  it("what is written to a session is read, although an older cookie comes first", async () => {
    const configure = start(strategy);
    await signIn(configure(undefined), "ann");
    const c = configure("example.com");
    const body = JSON.stringify({ csrfToken: await c.csrfToken(), data: {} });
    const headers = { "content-type": "application/json" };
    const updated = await c.browser.fetch(`${BASE}/session`, { method: "POST", headers, body });
    expect(linesOf(updated)).toEqual(["; host", "; a.app.example.com", "; app.example.com", "x; example.com"]);
    expect([scopesOf(c).length, await userOf(c)]).toEqual([1, "ann"]);
  });

  it("a read of several sessions that renews one clears none", async () => {
    const configure = start(strategy);
    const first = configure("example.com");
    await signIn(first, "ann");
    const mine = scopesOf(first);
    first.browser.cookies.clear();
    const second = configure(undefined);
    await signIn(second, "bob");
    second.browser.cookies.restore([...mine, ...scopesOf(second)]);
    const c = configure("example.com");
    const answer = await c.browser.fetch(`${BASE}/session`);
    expect(linesOf(answer)).toEqual(["x; example.com"]);
    expect(scopesOf(c)).toHaveLength(2);
  });
});

describe("scopes of a session cookie", () => {
  it.each([
    ["https://a.example.com", NAME, "example.com", ["; host", "; a.example.com", "; example.com"]],
    ["https://a.example.com", NAME, undefined, ["; a.example.com", "; example.com", "; host"]],
    ["https://example.com", NAME, undefined, ["; example.com", "; host"]],
    ["https://localhost", NAME, undefined, ["; host"]],
    ["https://127.0.0.1", NAME, undefined, ["; host"]],
    ["https://[::1]:3000", NAME, undefined, ["; host"]],
    ["https://a.example.com", "__Host-app.session", undefined, ["; host"]],
  ])(
    "at %s a sign-out clears %s with the domain %s in %j, the present one last",
    async (origin, name, domain, expected) => {
      const c = start("jwt", origin, name)(domain);
      await c.signIn();
      const answer = await c.signOut();
      expect(linesOf(answer, name)).toEqual(expected);
      expect(scopesOf(c, name)).toEqual([]);
    },
  );

  it("a cookie that is partitioned now is cleared in both jars", async () => {
    const c = setUpDatabase({ strategy: "jwt" });
    await c.signIn();
    const options = { partitioned: true, sameSite: "none" } as const;
    const now = setUpDatabase({ strategy: "jwt", config: { cookies: { sessionToken: { options } } } });
    now.browser.cookies.restore(c.browser.cookies.snapshot());
    const lines = recordOf(await now.signOut()).headers.getSetCookie();
    const jars = lines.filter((line) => line.startsWith(COOKIE.session)).map((line) => line.includes("Partitioned"));
    expect(jars).toEqual([false, true]);
  });

  it("without a session cookie, sign-in and sign-out clear none", async () => {
    const c = start("jwt")("example.com");
    expect(linesOf(await c.signOut())).toEqual([]);
    expect(linesOf(await c.signIn())).toEqual(["x; example.com"]);
  });
});
