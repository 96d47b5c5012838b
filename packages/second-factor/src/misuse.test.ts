import { memoryStore } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, enrol, ORIGIN, STRATEGIES, startApplication } from "../test/open-application.ts";
import { secondFactorOf } from "./index.ts";

const always = { require: () => "always" as const };

describe.each(STRATEGIES)("misuse of a second factor, %s sessions", (strategy) => {
  const start = (config: Parameters<typeof startApplication>[1] = {}) =>
    startApplication(always, { strategy, ...config });

  it("of many who know the password one sets an app up", async () => {
    const app = start();
    const people = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const who = app.newBrowser();
        await who.signIn();
        const { enrol: setup } = await who.asked();
        return { who, setup };
      }),
    );
    const answers = await Promise.all(
      people.map(({ who, setup }) =>
        who.send("/auth/factor/totp", {
          step: "confirm",
          setup: setup?.setup ?? "",
          code: codeOf(setup?.secret ?? "", app.now()),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(people.filter(({ who }) => who.hasSession())).toHaveLength(1);
    expect((await secondFactorOf(app.auth).list("ann")).totp).toHaveLength(1);
  });

  it("a sign-in that waited while the owner set an app up sets up none", async () => {
    const app = start();
    const thief = app.newBrowser();
    await thief.signIn();
    const { enrol: setup } = await thief.asked();
    await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 60 });
    const code = codeOf(setup?.secret ?? "", app.now());
    const answer = await thief.send("/auth/factor/totp", { step: "confirm", setup: setup?.setup ?? "", code });
    expect((await bodyOf(answer)).code).toBe("expired");
    expect((await thief.send("/auth/factor/totp", { code })).status).toBe(401);
    expect(thief.hasSession()).toBe(false);
  });

  it("leads to no other origin, needs a CSRF token, and shows what was typed as text", async () => {
    const app = start();
    const ann = app.newBrowser();
    const { secret } = await enrol(app, ann);
    for (const callbackUrl of ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]) {
      app.clock.advance({ seconds: 60 });
      const answer = await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()), callbackUrl });
      const { url } = await bodyOf(answer);
      expect(new URL(String(url), ORIGIN).origin, callbackUrl).toBe(ORIGIN);
    }
    const bare = await ann.browser.fetch("/auth/factor/totp", {
      method: "POST",
      body: new URLSearchParams({ code: codeOf(secret, app.now()) }),
      headers: { "x-auth-return-redirect": "1" },
    });
    expect((await bodyOf(bare)).url).toContain("error=");
    const begun = Object((await bodyOf(await ann.send("/auth/factors/totp", { step: "begin" }))).enrol);
    const label = `<script>alert(1)</script>"'`;
    const code = codeOf(begun.secret, app.now());
    expect((await ann.send("/auth/factors/totp", { step: "confirm", setup: begun.setup, code, label })).status).toBe(
      200,
    );
    const page = await (await ann.browser.navigate("/auth/factors")).text();
    expect(page).not.toContain("<script>");
    const shown = await (await ann.browser.navigate(`/auth/factor?callbackUrl="><script>&error=<b>`)).text();
    expect(shown).not.toMatch(/<script>|<b>/);
    const elsewhere = await (await ann.browser.navigate("/auth/factor?callbackUrl=https://evil.example/x")).text();
    expect(elsewhere).not.toContain("evil");
  });

  it("lets no one in while the store is away, and says nothing of why", async () => {
    const store = memoryStore({ instances: 1 });
    let isAway = false;
    const call = <A extends unknown[], R>(method: (...args: A) => Promise<R>) => {
      return (...args: A) => (isAway ? Promise.reject(new Error("redis://user:secret@store")) : method(...args));
    };
    const guarded = { get: call(store.get), set: call(store.set), add: call(store.add), swap: call(store.swap) };
    const app = start({ store: guarded });
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 60 });
    const ann = app.newBrowser();
    await ann.signIn();
    isAway = true;
    const answer = await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()) });
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain("redis");
    const other = app.newBrowser();
    await other.signIn();
    expect([ann.hasSession(), other.hasSession()]).toEqual([false, false]);
    isAway = false;
    expect((await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
  });
});
