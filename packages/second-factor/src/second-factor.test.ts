import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, enrol, ORIGIN, STRATEGIES, startApplication } from "../test/open-application.ts";
import { secondFactor, secondFactorOf, totp } from "./index.ts";

const always = { require: () => "always" as const };

describe.each(STRATEGIES)("secondFactor(), %s sessions", (strategy) => {
  const start = (options: Parameters<typeof startApplication>[0] = always) => startApplication(options, { strategy });

  it("has a user without a factor set one up within the sign-in, where one is required", async () => {
    const app = start();
    const ann = app.newBrowser();
    expect(await bodyOf(await ann.signIn())).toMatchObject({
      code: "factor",
      url: expect.stringContaining(`${ORIGIN}/auth/factor?pending=`),
    });
    expect(ann.hasSession()).toBe(false);
    const { enrol: setup } = await ann.asked();
    expect(setup?.uri).toContain("otpauth://totp/Acme:ann%40example.com?issuer=Acme");
    expect(app.memory.snapshot().credentials ?? []).toEqual([]);
    const wrong = await ann.send("/auth/factor/totp", { step: "confirm", setup: setup?.setup ?? "", code: "000000" });
    expect(await bodyOf(wrong)).toMatchObject({ error: "factor", code: "invalid_code" });
    expect(ann.hasSession()).toBe(false);
    const { answer, codes } = await enrol(app, app.newBrowser(), "bob");
    expect(answer.status).toBe(200);
    expect(codes).toHaveLength(10);
    expect(new Set(codes.map((code) => code.length))).toEqual(new Set([29]));
  });

  it("asks at the next sign-in, and each code counts once", async () => {
    const app = start();
    const ann = app.newBrowser();
    const { secret } = await enrol(app, ann);
    expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
    const other = app.newBrowser();
    await other.signIn();
    expect(await other.asked()).toMatchObject({ methods: ["totp", "recovery"] });
    expect((await other.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status, "used to enrol").toBe(
      401,
    );
    app.clock.advance({ seconds: 30 });
    expect((await other.send("/auth/factor/totp", { code: codeOf(secret, app.now() - 60) })).status, "too old").toBe(
      401,
    );
    expect((await other.send("/auth/factor/totp", { code: codeOf(secret, app.now() + 60) })).status, "too new").toBe(
      401,
    );
    expect(other.hasSession()).toBe(false);
    expect((await other.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
    expect(await other.session()).toMatchObject({ user: { name: "Ann" } });
    const third = app.newBrowser();
    await third.signIn();
    expect((await third.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(401);
    expect(await third.session()).toBeNull();
  });

  it("takes the code of the step before, once its own step was not used", async () => {
    const app = start();
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 90 });
    const ann = app.newBrowser();
    await ann.signIn();
    expect((await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now() - 30) })).status).toBe(200);
  });

  it("takes the code of a phone whose clock is a step fast, once, and no earlier code after it", async () => {
    const app = start();
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 90 });
    const ann = app.newBrowser();
    await ann.signIn();
    const ahead = codeOf(secret, app.now() + 30);
    expect((await ann.send("/auth/factor/totp", { code: ahead })).status).toBe(200);
    const other = app.newBrowser();
    await other.signIn();
    for (const code of [ahead, codeOf(secret, app.now())])
      expect((await other.send("/auth/factor/totp", { code })).status).toBe(401);
    app.clock.advance({ seconds: 30 });
    expect((await other.send("/auth/factor/totp", { code: codeOf(secret, app.now() + 30) })).status).toBe(200);
  });

  it("takes codes as users type them: digits of any script, blanks, dashes, invisible characters", async () => {
    const app = start();
    const { secret, codes } = await enrol(app, app.newBrowser());
    const spellings = [
      (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
      (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
      (code: string) => `\u200e${code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))}\ufeff`,
    ];
    for (const spell of spellings) {
      app.clock.advance({ seconds: 90 });
      const ann = app.newBrowser();
      await ann.signIn();
      expect((await ann.send("/auth/factor/totp", { code: spell(codeOf(secret, app.now())) })).status).toBe(200);
    }
    const ann = app.newBrowser();
    await ann.signIn();
    const wide = (codes[0] ?? "").replace(/[A-Z0-9]/g, (one) =>
      String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0),
    );
    expect((await ann.send("/auth/factor/recovery", { code: wide.toLowerCase() })).status).toBe(200);
  });

  it("counts one of as many identical codes at once as are looked at", async () => {
    const app = start();
    const { secret, codes } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 300 });
    for (const [path, code] of [
      ["totp", codeOf(secret, app.now())],
      ["recovery", codes[0] ?? ""],
    ] as const) {
      const people = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const who = app.newBrowser();
          await who.signIn();
          return who;
        }),
      );
      const answers = await Promise.all(people.map((who) => who.send(`/auth/factor/${path}`, { code })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(people.filter((who) => who.hasSession())).toHaveLength(1);
      app.clock.advance({ seconds: 300 });
    }
  });

  it("looks at five codes of one user in five minutes, from any browser", async () => {
    const app = start();
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 600 });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) {
      const who = app.newBrowser();
      await who.signIn();
      const answer = await who.send("/auth/factor/totp", { code: "000000" });
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const ann = app.newBrowser();
    await ann.signIn();
    expect((await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(429);
    app.clock.advance({ seconds: 301 });
    expect((await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
  });

  it("remembers a browser until a factor changes, and for its user alone", async () => {
    const app = start();
    const ann = app.newBrowser();
    const { secret } = await enrol(app, ann);
    app.clock.advance({ seconds: 60 });
    await ann.send("/auth/signout");
    await ann.signIn();
    await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()), browser: "remember" });
    expect(ann.cookies()).toContain("__Host-cardea.browser");
    await ann.send("/auth/signout");
    expect(await bodyOf(await ann.signIn())).not.toHaveProperty("code");
    expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
    await ann.send("/auth/signout");
    expect(await bodyOf(await ann.signIn("bob"))).toMatchObject({ code: "factor" });
    await app.memory.adapter.createCredential?.({
      userId: "ann",
      type: "totp",
      secret: "x",
      createdAt: new Date(),
      state: {},
    });
    expect(await bodyOf(await ann.signIn())).toMatchObject({ code: "factor" });
  });

  it("a recovery code counts once, and a note says when three are left", async () => {
    const notices: unknown[] = [];
    const app = start({ ...always, notify: (notice) => void notices.push(notice.kind) });
    const { codes } = await enrol(app, app.newBrowser());
    for (const [n, code] of codes.entries()) {
      app.clock.advance({ seconds: 301 });
      const ann = app.newBrowser();
      await ann.signIn();
      const answer = await bodyOf(await ann.send("/auth/factor/recovery", { code: ` ${code.toLowerCase()} ` }));
      expect(answer).toMatchObject(n < 6 ? { url: expect.any(String) } : { recoveryCodesLeft: 9 - n });
      expect(ann.hasSession()).toBe(true);
      await ann.send("/auth/signout");
      await ann.signIn();
      expect((await ann.send("/auth/factor/recovery", { code })).status).toBe(401);
    }
    expect(notices).toEqual(["added", "codes-low", "codes-low", "codes-low", "codes-low"]);
  });

  it("keeps the sign-in through an outage of database and store, and lets no one in", async () => {
    const app = start();
    const { secret } = await enrol(app, app.newBrowser());
    app.clock.advance({ seconds: 60 });
    const ann = app.newBrowser();
    await ann.signIn();
    const code = codeOf(secret, app.now());
    app.memory.fail({ throws: new Error("away"), times: Number.POSITIVE_INFINITY });
    const answer = await ann.send("/auth/factor/totp", { code });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    app.memory.heal();
    expect(ann.hasSession()).toBe(false);
    expect((await ann.send("/auth/factor/totp", { code })).status).toBe(200);
    expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
  });

  it("asks a session from before at its next read, and keeps its id", async () => {
    const setting: { require: "never" | "always" } = { require: "never" };
    const app = start({ require: () => setting.require, existing: "ask" });
    const ann = app.newBrowser();
    // As before the extension was there: nothing was noted in the session.
    const plain = startApplication(always, { strategy, adapter: app.memory.adapter, extensions: [] });
    const before = plain.newBrowser();
    await before.signIn();
    const cookie = before.browser.cookies
      .list()
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const read = () => app.handle(new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }));
    expect(await (await read()).json()).toMatchObject({ user: { name: "Ann" } });
    setting.require = "always";
    plain.clock.advance({ seconds: 61 });
    const asked = await read();
    expect(await asked.json()).toBeNull();
    expect(asked.headers.getSetCookie()).toEqual([]);
    expect(ann.hasSession()).toBe(false);
  });

  it("reset by server code: facts, a mail, and the next sign-in enrols", async () => {
    const app = start();
    const { codes } = await enrol(app, app.newBrowser());
    const factors = secondFactorOf(app.auth);
    expect(await factors.list("ann")).toMatchObject({ totp: [{ label: null }], recoveryCodesLeft: 10 });
    const told: unknown[] = [];
    expect(await factors.reset("ann", { by: "admin", notify: (notice) => void told.push(notice) })).toBe(2);
    expect(told).toEqual([{ kind: "reset", factor: "all", userId: "ann", by: "admin" }]);
    const ann = app.newBrowser();
    await ann.signIn();
    expect((await ann.asked()).enrol?.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await ann.send("/auth/factor/recovery", { code: codes[0] ?? "" })).status).toBe(401);
  });

  it("if-enrolled: a user without a factor signs in, and is asked once they have one", async () => {
    const app = start({});
    const ann = app.newBrowser();
    await ann.signIn();
    expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
    const begun = await bodyOf(await ann.send("/auth/factors/totp", { step: "begin" }));
    const { secret, setup } = Object(begun.enrol);
    const code = codeOf(secret, app.now());
    const confirmed = await bodyOf(
      await ann.send("/auth/factors/totp", { step: "confirm", setup, code, label: "Phone" }),
    );
    expect(confirmed.recoveryCodes).toHaveLength(10);
    expect(await secondFactorOf(app.auth).list("ann")).toMatchObject({ totp: [{ label: "Phone" }] });
    expect(await bodyOf(await app.newBrowser().signIn())).toMatchObject({ code: "factor" });
    expect(await bodyOf(await app.newBrowser().signIn("bob"))).not.toHaveProperty("code");
  });

  it.each([
    ["a name of more than 64 characters, without half of the last one", `${"x".repeat(63)}😀😀`, `${"x".repeat(63)}😀`],
    ["no control characters or direction marks", "Pho\u202ene\u0000", "Phone"],
    ["no name of spaces", "  \t ", null],
  ])("stores %s", async (_what, label, expected) => {
    const app = start({});
    const ann = app.newBrowser();
    await ann.signIn();
    const { secret, setup } = Object((await bodyOf(await ann.send("/auth/factors/totp", { step: "begin" }))).enrol);
    await ann.send("/auth/factors/totp", { step: "confirm", setup, code: codeOf(secret, app.now()), label });
    expect((await secondFactorOf(app.auth).list("ann")).totp.map((one) => one.label)).toEqual([expected]);
  });

  it("changes of factors need a fresh proof", async () => {
    const app = start({});
    const ann = app.newBrowser();
    await ann.signIn();
    app.clock.advance({ seconds: 901 });
    const late = await ann.send("/auth/factors/totp", { step: "begin" });
    expect([late.status, (await bodyOf(late)).code]).toEqual([401, "proof_required"]);
    const direct = await ann.send("/auth/factor/totp", { step: "confirm", setup: "x", code: "000000" });
    expect((await bodyOf(direct)).code, "a session cannot enrol by the other action").toBe("signed_out");
    await ann.signIn();
    const { secret, setup } = Object((await bodyOf(await ann.send("/auth/factors/totp", { step: "begin" }))).enrol);
    await ann.send("/auth/factors/totp", { step: "confirm", setup, code: codeOf(secret, app.now()) });
    const [row] = (await secondFactorOf(app.auth).list("ann")).totp;
    app.clock.advance({ seconds: 901 });
    const removal = { step: "remove", id: row?.id ?? "" };
    expect((await ann.send("/auth/factors/totp", removal)).status).toBe(401);
    expect((await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
    expect((await ann.send("/auth/factors/totp", removal)).status).toBe(200);
    expect(await secondFactorOf(app.auth).list("ann")).toEqual({ totp: [], recoveryCodesLeft: 0 });
  });

  it("a secret of one user is of no use to another", async () => {
    const app = start();
    const ann = app.newBrowser();
    await ann.signIn();
    const { enrol: setup } = await ann.asked();
    const bob = app.newBrowser();
    await bob.signIn("bob");
    const fields = { step: "confirm", setup: setup?.setup ?? "", code: codeOf(setup?.secret ?? "", app.now()) };
    expect((await bob.send("/auth/factor/totp", fields)).status).toBe(401);
    const { secret } = await enrol(app, ann);
    const [row] = await app.memory.adapter.listCredentialsByUserId("ann");
    await app.memory.adapter.createCredential({
      ...row,
      userId: "bob",
      type: "totp",
      secret: row?.secret ?? "",
      createdAt: new Date(),
      state: { step: 0 },
    });
    app.clock.advance({ seconds: 60 });
    const late = app.newBrowser();
    await late.signIn("bob");
    expect((await late.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(401);
  });

  it("shows pages that work without a script, with a key and codes to copy", async () => {
    const app = start();
    const ann = app.newBrowser();
    const page = await ann.browser.navigate("/auth/signin");
    const asked = await ann.browser.submit(page, { fields: { username: "ann", password: "right" }, follow: "all" });
    const text = await asked.clone().text();
    expect(text).toContain("<svg");
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? "";
    expect(text).toContain(`data-copy="${secret.replaceAll(" ", "")}"`);
    const codes = await ann.browser.submit(asked, { fields: { code: codeOf(secret, app.now()) } });
    expect(await codes.text()).toContain("Save your recovery codes");
    expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
  });
});

describe("secondFactor() at start", () => {
  it.each([
    [{ factors: [] }, "must include totp()"],
    [{ factors: [totp({ issuer: "A" })], remember: { days: 0 } }, "remember.days"],
    [{ page: "//evil.example" }, "page"],
  ])("refuses %j", (options, message) => {
    expect(() => secondFactor(options)).toThrow(message);
  });

  it("refuses an application without a database", async () => {
    expect(() => startApplication({}, { adapter: undefined })).toThrow(/createCredential/);
  });
});
