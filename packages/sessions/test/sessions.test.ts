import { describe, expect, it } from "vitest";
import { copyOf, createTestApplication, ORIGIN, post, replay, signIn } from "./application.ts";

describe.each(["jwt", "database"] as const)("sessions(), %s sessions", (strategy) => {
  const start = (options: Parameters<typeof createTestApplication>[0] = {}) => {
    const app = createTestApplication({ strategy, ...options });
    return { ...app, a: app.server(), b: app.server() };
  };

  it("a copied cookie is dead after the sign-out, on every server", async () => {
    const { a, b } = start();
    const browser = await signIn(a);
    const cookie = copyOf(browser);
    expect([await replay(a, cookie), await replay(b, cookie)]).toEqual(["ann", "ann"]);
    await post(browser, "signout");
    expect([await replay(a, cookie), await replay(b, cookie)]).toEqual([null, null]);
  });

  it("a session that a sign-in in the same browser replaced is dead", async () => {
    const { a, b } = start();
    const browser = await signIn(a);
    const cookie = copyOf(browser);
    await post(browser, "callback/password", { username: "bo", password: "right" });
    expect([await replay(b, cookie), await replay(b, copyOf(browser))]).toEqual([null, "bo"]);
  });

  it("lists the own sessions, with device and provider, and no token", async () => {
    const { a, b } = start();
    const browser = await signIn(
      a,
      "ann",
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
    );
    await signIn(b, "ann");
    await signIn(b, "bo");
    const answer = await browser.fetch("/auth/sessions", { headers: { accept: "application/json" } });
    const { sessions } = await answer.json();
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ current }: { current: boolean }) => current)).toMatchObject({
      device: { browser: "Chrome", os: "Windows" },
      ip: null,
      provider: "password",
      factors: ["pwd"],
    });
    expect(Object.keys(sessions[0]).sort()).toEqual(
      ["createdAt", "current", "device", "expires", "factors", "id", "ip", "provider", "seenAt"].sort(),
    );
    for (const { value } of browser.cookies.list()) expect(JSON.stringify(sessions)).not.toContain(value);
  });

  it("ends one, by its owner, and no other", async () => {
    const { a, b } = start();
    const [one, other] = [await signIn(a), await signIn(b)];
    const [first] = (await a.sessions.list("ann")).filter(({ id }) => id !== "");
    const listed = await (await one.fetch("/auth/sessions", { headers: { accept: "application/json" } })).json();
    const { id } = listed.sessions.find(({ current }: { current: boolean }) => !current);
    expect((await post(one, "sessions", { end: id })).status).toBe(200);
    expect([await replay(a, copyOf(one)), await replay(a, copyOf(other))]).toEqual(["ann", null]);
    expect(await replay(b, copyOf(other))).toBeNull();
    expect(first).toBeDefined();
    expect((await b.sessions.list("ann")).map((session) => session.id)).not.toContain(id);
  });

  it("does not end the session of another user, and does not say whether there is one", async () => {
    const { a } = start();
    const [ann, bo] = [await signIn(a), await signIn(a, "bo")];
    const [{ id } = { id: "" }] = await a.sessions.list("bo");
    const answers = [await post(ann, "sessions", { end: id }), await post(ann, "sessions", { end: "none" })];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await answers[0]?.text()).toBe(await answers[1]?.text());
    expect(await replay(a, copyOf(bo))).toBe("bo");
  });

  it("ends all others, and the session that stays gets another token", async () => {
    const { a, b } = start();
    const [here, there] = [await signIn(a), await signIn(b)];
    const copied = copyOf(here);
    expect((await post(here, "sessions", { end: "others" })).status).toBe(200);
    expect(await replay(b, copyOf(here))).toBe("ann");
    expect([await replay(b, copyOf(there)), await replay(b, copied), await replay(a, copied)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await a.sessions.list("ann")).toHaveLength(1);
  });

  it("ends all: of this user, on every server, and new ones are good", async () => {
    const { a, b } = start();
    const [here, there, bo] = [await signIn(a), await signIn(b), await signIn(b, "bo")];
    const copied = copyOf(here);
    expect((await post(here, "sessions", { end: "all" })).status).toBe(200);
    for (const cookie of [copied, copyOf(there)]) {
      expect([await replay(a, cookie), await replay(b, cookie)]).toEqual([null, null]);
    }
    expect(here.cookies.list().some(({ name }) => name.includes("session-token"))).toBe(false);
    expect(await replay(a, copyOf(bo))).toBe("bo");
    expect(await replay(a, copyOf(await signIn(b)))).toBe("ann");
  });

  it("server code ends one, ends all but one, and blocks until it unblocks", async () => {
    const { a, b } = start();
    const [one, two] = [await signIn(a), await signIn(a)];
    const [{ id } = { id: "" }] = await b.sessions.list("ann");
    await b.sessions.end(id, { by: "admin", reason: "lost laptop" });
    expect([await replay(a, copyOf(one)), await replay(a, copyOf(two))].filter((name) => name === null)).toHaveLength(
      1,
    );
    const spared = await signIn(a);
    const request = { url: `${ORIGIN}/`, headers: new Headers({ cookie: copyOf(spared), host: "app.example.com" }) };
    const headers = new Headers();
    await b.sessions.endAll("ann", { except: { request, headers } });
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    expect(await replay(a, cookie)).toBe("ann");
    for (const copy of [one, two, spared]) expect(await replay(a, copyOf(copy))).toBeNull();
    await b.sessions.block("ann");
    expect(await replay(a, cookie)).toBeNull();
    expect(await replay(a, copyOf(await signIn(a)))).toBeNull();
    await a.sessions.unblock("ann");
    expect(await replay(b, copyOf(await signIn(a)))).toBe("ann");
  });

  it("spares no session that has ended, and none of another user", async () => {
    const { a, b } = start();
    const [ended, bo] = [await signIn(a), await signIn(a, "bo")];
    const cookies = [copyOf(ended), copyOf(bo)];
    await post(ended, "signout");
    for (const cookie of cookies) {
      const headers = new Headers();
      const request = { url: `${ORIGIN}/`, headers: new Headers({ cookie, host: "app.example.com" }) };
      await b.sessions.endAll("ann", { except: { request, headers } });
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(await replay(a, cookies[1] ?? "")).toBe("bo");
  });

  it("shows a page, and sends those who are not signed in to sign in", async () => {
    const { a } = start();
    const browser = await signIn(a);
    const visit = await browser.navigate("/auth/sessions");
    const text = await visit.text();
    expect(text).toContain("Your sessions");
    expect(text).toContain("This device");
    const away = await a.newBrowser().navigate("/auth/sessions");
    expect(away.redirectsTo ?? away.url).toContain("/auth/signin");
    expect((await a.newBrowser().fetch("/auth/sessions")).status).toBe(401);
  });
});
