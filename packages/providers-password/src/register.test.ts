import { createClock } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { EMAIL, INSIDE, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

describe("registration", () => {
  it("creates no user before the address is proven, and signs in with the typed password afterwards", async () => {
    const { open, memory, mails, beginRegister, useLink, userOf, signIn } = startApp();
    const browser = open();
    expect((await beginRegister(browser)).redirectsTo).toBe(`${ORIGIN}/auth/register/password?step=sent${INSIDE}`);
    expect(memory.snapshot()).toMatchObject({ users: [], accounts: [], credentials: [] });
    expect(mails).toMatchObject([{ kind: "confirm-address", to: EMAIL }]);
    expect((await useLink(browser)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(await userOf(browser)).toBe(EMAIL);
    expect(memory.snapshot()).toMatchObject({
      users: [{ email: EMAIL, emailVerified: expect.any(Date) }],
      credentials: [{ type: "password", secret: expect.stringMatching(/^\$scrypt\$ln=10,r=8,p=1\$/) }],
    });
    const other = open();
    expect((await signIn(other, EMAIL, PASSWORD)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(await userOf(other)).toBe(EMAIL);
  });

  it("gives the application's pages what they need, and no destination at another origin", async () => {
    const pages = { register: "/join", reset: "/forgot", password: "/pass" };
    const browser = startApp({ options: { pages } }).open();
    const query = "callbackUrl=https://evil.example/x&error=busy&foo=1";
    for (const [action, page] of [
      ["register/password", "/join"],
      ["reset/password", "/forgot"],
      ["password", "/pass"],
    ])
      expect((await browser.navigate(`/auth/${action}?${query}`)).redirectsTo).toBe(
        `${ORIGIN}${page}?${new URLSearchParams({ error: "busy", callbackUrl: ORIGIN })}`,
      );
    const plain = startApp().open();
    const form = await plain.navigate("/auth/register/password");
    const fields = { email: "no", callbackUrl: "https://evil.example/x" };
    expect((await plain.submit(form, { action: "/auth/register/password", fields })).redirectsTo).not.toContain("evil");
  });

  it.each([
    ["register", { email: EMAIL, password: "short" }],
    ["register", { email: "ann@@example.com", password: PASSWORD }],
    ["reset", { email: "Ann <ann@example.com>", password: "" }],
  ])(
    "shows the address again where %s is refused, at the field to correct, in this browser alone, and never the password",
    async (page, fields) => {
      const { open } = startApp();
      const browser = open();
      const path = `/auth/${page}/password`;
      const form = await browser.navigate(path);
      const refused = await browser.submit(form, { action: path, fields });
      expect(refused.redirectsTo).not.toContain("ann");
      const shown = await (await browser.navigate(refused.redirectsTo ?? "")).text();
      expect(shown).toContain(`value="${fields.email.replace("<", "&#60;").replace(">", "&#62;")}"`);
      const wrong = fields.password === "short" ? "password" : "email";
      const [field = ""] = new RegExp(`<input id="field-${wrong}"[^>]*>`).exec(shown) ?? [];
      for (const attribute of [`aria-describedby="field-${wrong}-error`, 'aria-invalid="true"', 'autofocus=""'])
        expect(field).toContain(attribute);
      expect(shown.match(/autofocus/g)).toHaveLength(1);
      expect(shown.match(/role="alert"/g)).toHaveLength(1);
      if (fields.password !== "") expect(shown).not.toContain(`value="${fields.password}"`);
      expect(await (await open().navigate(refused.redirectsTo ?? "")).text()).not.toContain("ann");
    },
  );

  it.each(["register", "reset"])(
    "has the address that was typed on the sign-in page in its field: %s",
    async (page) => {
      const { open, signIn } = startApp();
      const browser = open();
      const typed = async (identifier: string) => {
        await signIn(browser, identifier, OTHER);
        return (await browser.navigate(`/auth/${page}/password`)).text();
      };
      expect(await typed("Ann+1@example.com")).toMatch(/id="field-email"[^>]* value="Ann\+1@example.com"/);
      expect(await typed("ann")).not.toContain('value="ann"');
    },
  );

  it.each([
    ["register/password?token=gone", "register"],
    ["reset/password?step=choose", "reset"],
  ])("leads from an expired link at %s to a new one, and then on to the same page", async (path, action) => {
    const page = await startApp().open().navigate(`/auth/${path}${INSIDE}`);
    expect(await page.text()).toContain(`href="${ORIGIN}/auth/${action}/password?${INSIDE.slice(1)}"`);
  });

  it("keeps the typed password nowhere", async () => {
    const { open, store, beginRegister, memory, said } = startApp();
    const written: string[] = [];
    const { set } = store;
    store.set = async (key, value, o) => {
      written.push(key, value);
      return set.call(store, key, value, o);
    };
    await beginRegister(open());
    const all = JSON.stringify([written, memory.snapshot(), said]);
    expect(written.length).toBeGreaterThan(0);
    expect(all).not.toContain(PASSWORD);
  });

  it("does not let a stranger's password open the account: another browser chooses its own", async () => {
    const { open, beginRegister, useLink, userOf, signIn, mails } = startApp();
    const stranger = open();
    const owner = open();
    await beginRegister(stranger, EMAIL, PASSWORD);
    const page = await owner.navigate(mails[0]?.url ?? "");
    expect(await page.clone().text()).toContain('autocomplete="new-password"');
    expect((await useLink(owner)).redirectsTo).toContain("error=too-short");
    expect((await useLink(owner, { password: OTHER })).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(await userOf(owner)).toBe(EMAIL);
    expect((await signIn(stranger, EMAIL, PASSWORD)).redirectsTo).toContain("error=CredentialsSignin");
    expect(await userOf(stranger)).toBeNull();
    expect((await signIn(stranger, EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("does not take the cookie of another registration for the one of this link", async () => {
    const { open, beginRegister, useLink, mails } = startApp();
    const [stranger, owner] = [open(), open()];
    await beginRegister(owner, "other@example.com", OTHER);
    await beginRegister(stranger, EMAIL, PASSWORD);
    expect((await useLink(owner, {}, mails[1])).redirectsTo).toContain("error=too-short");
  });

  it("answers for a taken address as for a free one; the message differs", async () => {
    const { open, register, beginRegister, mails, memory } = startApp();
    await register(open());
    const before = memory.snapshot();
    const answer = await beginRegister(open(), EMAIL, OTHER);
    expect(answer.redirectsTo).toBe(`${ORIGIN}/auth/register/password?step=sent${INSIDE}`);
    expect(answer.headers.getSetCookie().map((line) => line.split("=")[0])).toEqual(["__Host-cardea.register"]);
    expect(mails.map(({ kind }) => kind)).toEqual(["confirm-address", "already-registered"]);
    expect(mails[1]?.url).toBe(`${ORIGIN}/auth/reset/password`);
    expect(memory.snapshot()).toEqual(before);
  });

  it("uses a link once, of fifty at the same time one", async () => {
    const { open, beginRegister, mails, memory } = startApp();
    const browser = open();
    await beginRegister(browser);
    const url = new URL(mails[0]?.url ?? "");
    const page = await browser.navigate(url.href);
    const text = await page.text();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => browser.tab().submit(text, { action: `${ORIGIN}${url.pathname}` })),
    );
    expect(answers.filter(({ redirectsTo }) => redirectsTo === `${ORIGIN}/inside`)).toHaveLength(1);
    expect(memory.snapshot().users).toHaveLength(1);
  });

  it("voids older links after a newer one was used, and after the password changed", async () => {
    const clock = createClock();
    const installed = clock.install();
    try {
      const { open, beginRegister, useLink, askReset, choose, mails, userOf } = startApp();
      const [stranger, owner] = [open(), open()];
      const links = [];
      for (let n = 0; n < 2; n++) {
        await beginRegister(stranger);
        links.push(mails.at(-1));
        clock.advance({ seconds: 1 });
      }
      await beginRegister(owner, EMAIL, OTHER);
      clock.advance({ seconds: 1 });
      expect((await useLink(owner)).redirectsTo).toBe(`${ORIGIN}/inside`);
      expect((await useLink(stranger, {}, links[0])).redirectsTo).toContain("error=invalid-link");
      await askReset(owner);
      await useLink(owner);
      await choose(owner, PASSWORD);
      expect((await useLink(stranger, {}, links[1])).redirectsTo).toContain("error=invalid-link");
      expect(await userOf(stranger)).toBeNull();
    } finally {
      installed.restore();
    }
  });

  it("is not used up by a GET or a HEAD, as of a scanner", async () => {
    const { open, beginRegister, useLink, mails } = startApp();
    const browser = open();
    await beginRegister(browser);
    await open().navigate(mails[0]?.url ?? "");
    await open().navigate(mails[0]?.url ?? "", { method: "HEAD" });
    expect((await useLink(browser)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("leads to confirm-address where a row has the address and never proved it", async () => {
    const { open, beginRegister, useLink, memory, userOf } = startApp();
    await memory.adapter.createUser?.({ id: "planted", email: EMAIL, emailVerified: null });
    const browser = open();
    await beginRegister(browser);
    expect((await useLink(browser)).redirectsTo).toBe(`${ORIGIN}/auth/confirm-address`);
    expect(await userOf(browser)).toBeNull();
    expect(memory.snapshot().credentials).toEqual([]);
  });

  it("does not give the typed password to a user who was created meanwhile", async () => {
    const { open, beginRegister, useLink, memory, userOf } = startApp();
    const browser = open();
    await beginRegister(browser);
    await memory.adapter.createUser?.({ id: "x", email: EMAIL, emailVerified: new Date(0) });
    expect((await useLink(browser)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(await userOf(browser)).toBe(EMAIL);
    expect(memory.snapshot().credentials).toEqual([]);
  });

  it("leaves no user when the password cannot be stored, and the link goes on", async () => {
    const { open, beginRegister, useLink, memory } = startApp();
    const browser = open();
    await beginRegister(browser);
    memory.fail({ method: "createCredential", throws: new Error("away"), times: Number.POSITIVE_INFINITY });
    await useLink(browser);
    expect(memory.snapshot()).toMatchObject({ users: [], credentials: [] });
    memory.heal();
    expect((await useLink(browser)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it.each([
    ["short", "too-short"],
    ["a".repeat(20), "guessable"],
    ["ann@example.com1234", "guessable"],
    ["app.example.com ann!", "guessable"],
    ["123456789987654321", "common"],
    ["x1".repeat(3000), "too-long"],
  ])("refuses the password %.20s as %s", async (password, error) => {
    const { open, beginRegister, mails } = startApp();
    const browser = open();
    const answer = await beginRegister(browser, EMAIL, password);
    expect(answer.redirectsTo).toBe(`${ORIGIN}/auth/register/password?error=${error}${INSIDE}`);
    const page = await (await browser.navigate(answer.redirectsTo ?? "")).text();
    expect(page).toContain('role="alert"');
    expect(page, "the next try goes on to the same page").toContain(`name="callbackUrl" value="${ORIGIN}/inside"`);
    expect(mails).toEqual([]);
  });

  it("lets eight characters through only where a second factor is always required", async () => {
    const eight = "kX9#mqt2";
    const alone = startApp();
    expect((await alone.beginRegister(alone.open(), EMAIL, eight)).redirectsTo).toContain("error=too-short");
    const asked: unknown[] = [];
    const both = startApp({ options: { alwaysSecondFactor: (user) => asked.push(user.email) > 0 } });
    expect((await both.beginRegister(both.open(), EMAIL, eight)).redirectsTo).toContain("step=sent");
    expect(asked).toContain(EMAIL);
    const broken = startApp({ options: { alwaysSecondFactor: () => Promise.reject(new Error("away")) } });
    expect((await broken.beginRegister(broken.open(), EMAIL, eight)).redirectsTo).toContain("error=too-short");
  });

  it("can be switched off, and is off where no message can be sent", async () => {
    for (const options of [{ register: false }, { mail: undefined }] as const) {
      const { open, memory } = startApp({ options });
      const page = await open().navigate("/auth/register/password");
      expect(await page.text()).not.toContain("<form");
      expect(memory.calls).toEqual([]);
    }
  });

  it("sends an address at most five messages in ten minutes; the answer stays the same", async () => {
    const { open, beginRegister, mails, said } = startApp();
    for (let n = 0; n < 7; n++) {
      const email = `ann+${n}@example.com`;
      expect((await beginRegister(open(), email)).redirectsTo).toContain("step=sent");
    }
    expect(mails).toHaveLength(5);
    expect(said.join()).toContain("password-mail-limit");
  });
});
