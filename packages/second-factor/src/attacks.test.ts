import { customFetch } from "@cardea/core/providers";
import { defineExtension, type Extension } from "@cardea/extend";
import { stepUp } from "@cardea/step-up";
import { createScriptedProvider } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, enrol, ORIGIN, PASSWORD, STRATEGIES, startApplication } from "../test/open-application.ts";
import { secondFactor, secondFactorOf, totp } from "./index.ts";

const always = { require: () => "always" as const };

const passkeyOf = (userId: string) => ({
  userId,
  credentialID: "AAAA",
  providerAccountId: "AAAA",
  credentialPublicKey: "AAAA",
  counter: 0,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
  transports: null,
});

describe.each(STRATEGIES)("attacks on a second factor, %s sessions", (strategy) => {
  it("a copy of a session from before the proof is asked, also after its owner gave the proof", async () => {
    const noted = defineExtension({ id: "noted", needs: { sessionInfo: true } });
    const before = startApplication({}, { strategy, extensions: [noted] });
    const app = startApplication(always, { strategy, adapter: before.memory.adapter });
    const owner = before.newBrowser();
    await owner.signIn();
    const cookie = owner.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    const read = async (header: string) =>
      (await app.handle(new Request(`${ORIGIN}/auth/session`, { headers: { cookie: header } }))).json();
    const copy = cookie.join("; ");
    expect(await read(copy)).toBeNull();
    const now = app.newBrowser();
    now.browser.cookies.restore(owner.browser.cookies.snapshot());
    const { enrol: setup } = await now.asked();
    const code = codeOf(setup?.secret ?? "", app.now());
    await now.send("/auth/factor/totp", { step: "confirm", setup: setup?.setup ?? "", code });
    expect(await now.session()).toMatchObject({ user: { name: "Ann" } });
    expect(await read(copy)).toBeNull();
  });

  it("the password alone adds no app for a user who has a passkey", async () => {
    const app = startApplication(always, { strategy });
    await app.memory.adapter.createAuthenticator(passkeyOf("ann"));
    const thief = app.newBrowser();
    await thief.signIn();
    const page = await thief.browser.fetch("/auth/factor", { headers: { accept: "application/json" } });
    expect([page.status, (await bodyOf(page)).code]).toEqual([403, "passkey_required"]);
    const shown = await thief.browser.navigate("/auth/factor");
    expect(await shown.text()).toContain("Use your passkey");
    const bob = app.newBrowser();
    await bob.signIn("bob");
    const { enrol: setup } = await bob.asked();
    const code = codeOf(setup?.secret ?? "", app.now());
    const answer = await thief.send("/auth/factor/totp", { step: "confirm", setup: setup?.setup ?? "", code });
    expect(answer.status).toBe(403);
    expect(thief.hasSession()).toBe(false);
    expect(app.memory.snapshot().credentials ?? []).toEqual([]);
    const other = startApplication({ ...always, passkeyIsEnough: false }, { strategy });
    await other.memory.adapter.createAuthenticator(passkeyOf("ann"));
    expect((await enrol(other, other.newBrowser())).codes).toHaveLength(10);
  });

  it("a setup that is sent twice adds one app, so that no code counts twice", async () => {
    const app = startApplication({}, { strategy });
    const ann = app.newBrowser();
    await ann.signIn();
    const { secret, setup } = Object((await bodyOf(await ann.send("/auth/factors/totp", { step: "begin" }))).enrol);
    const fields = { step: "confirm", setup, code: codeOf(secret, app.now()) };
    const answers = [await ann.send("/auth/factors/totp", fields), await ann.send("/auth/factors/totp", fields)];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect((await secondFactorOf(app.auth).list("ann")).totp).toHaveLength(1);
  });

  it("an app that was added although the database did not tell is not added twice, so that no code counts twice", async () => {
    const app = startApplication(always, { strategy });
    const ann = app.newBrowser();
    await enrol(app, ann);
    const { secret, setup } = Object((await bodyOf(await ann.send("/auth/factors/totp", { step: "begin" }))).enrol);
    const confirm = () => ann.send("/auth/factors/totp", { step: "confirm", setup, code: codeOf(secret, app.now()) });
    const { createCredential } = app.memory.adapter;
    app.memory.adapter.createCredential = async (row) => {
      await createCredential(row);
      throw new Error("no answer in time");
    };
    expect((await confirm()).status).toBe(503);
    app.memory.adapter.createCredential = createCredential;
    app.clock.advance({ seconds: 30 });
    expect([(await confirm()).status, (await confirm()).status]).toEqual([200, 401]);
    expect((await secondFactorOf(app.auth).list("ann")).totp).toHaveLength(2);
  });

  it("new recovery codes that are asked for twice at once are shown once, and those count", async () => {
    const app = startApplication(always, { strategy });
    const ann = app.newBrowser();
    await enrol(app, ann);
    const { createCredential } = app.memory.adapter;
    let [waiting, answered] = [0, 0];
    app.memory.adapter.createCredential = async (row) => {
      waiting++;
      while (waiting + answered < 5) await new Promise((resolve) => setImmediate(resolve));
      return createCredential(row);
    };
    const regenerate = async () => {
      const answer = await ann.send("/auth/factors/recovery", { step: "regenerate" });
      answered++;
      return { status: answer.status, codes: (await bodyOf(answer)).recoveryCodes };
    };
    const answers = await Promise.all(Array.from({ length: 5 }, regenerate));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const rows = await app.memory.adapter.listCredentialsByUserId("ann");
    expect(rows.filter(({ type }) => type === "recovery")).toHaveLength(1);
    const shown = answers.find(({ status }) => status === 200)?.codes;
    const late = app.newBrowser();
    await late.signIn();
    expect((await late.send("/auth/factor/recovery", { code: String(Object(shown)[0]) })).status).toBe(200);
    expect((await regenerate()).status, "the next ones replace them").toBe(200);
  });

  it("a recovery code counts once, whatever fails after the session was issued", async () => {
    const app = startApplication(always, { strategy });
    const { codes } = await enrol(app, app.newBrowser());
    const ann = app.newBrowser();
    await ann.signIn();
    const { listCredentialsByUserId, createSessionInfo } = app.memory.adapter;
    app.memory.adapter.createSessionInfo = (info) => {
      app.memory.adapter.listCredentialsByUserId = async () => {
        throw new Error("away");
      };
      return createSessionInfo(info);
    };
    const fields = { code: codes[0] ?? "", browser: "remember" };
    expect((await ann.send("/auth/factor/recovery", fields)).status).toBe(200);
    Object.assign(app.memory.adapter, { listCredentialsByUserId, createSessionInfo });
    expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
    expect(await secondFactorOf(app.auth).list("ann")).toMatchObject({ recoveryCodesLeft: 9 });
    expect(ann.cookies().some((name) => name.endsWith("cardea.browser"))).toBe(false);
  });
});

describe.each(STRATEGIES)("a session that adds an account, %s sessions", (strategy) => {
  const keep = secondFactor({ ...always, factors: [totp({ issuer: "Acme" })], existing: "keep" });

  /** Ann is signed in from before a factor was required; after `minutes`, her session begins to add an account. */
  async function begin(minutes: number, extensions: readonly Extension[] = [keep]) {
    const op = createScriptedProvider();
    const { issuer, clientId, clientSecret } = op;
    const provider = {
      id: "op",
      name: "OP",
      type: "oidc",
      issuer,
      clientId,
      clientSecret,
      [customFetch]: op.fetch,
    } as const;
    const noted = defineExtension({ id: "noted", needs: { sessionInfo: true } });
    const before = startApplication({}, { strategy, extensions: [noted] });
    const { adapter } = before.memory;
    const app = startApplication({}, { strategy, adapter, extensions, providers: [PASSWORD, provider] });
    const [owner, who] = [before.newBrowser(), app.newBrowser()];
    await owner.signIn();
    app.clock.advance({ minutes });
    who.browser.cookies.restore(owner.browser.cookies.snapshot());
    const started = await bodyOf(await who.send("/auth/signin/op"));
    const { url } = await op.authorize(new URL(String(started.url)));
    const visit = await who.browser.navigate(url, { initiator: issuer });
    const pending = new URL(visit.redirectsTo ?? "").searchParams.get("pending") ?? "";
    const asked = await who.browser.fetch(`/auth/factor?pending=${pending}`, {
      headers: { accept: "application/json" },
    });
    const { enrol: setup, ...refusal } = await bodyOf(asked);
    const confirm = async () => {
      const { secret = "", setup: sealed = "" } = Object(setup);
      const fields = { pending, step: "confirm", setup: sealed, code: codeOf(secret, app.now()) };
      return bodyOf(await who.send("/auth/factor/totp", fields));
    };
    const stored = () => {
      const { accounts, credentials = [] } = before.memory.snapshot();
      return [accounts.length, credentials.length];
    };
    return { pending, setup, refusal, confirm, stored };
  }

  it("enrols the factor that it must have first only shortly after its sign-in", async () => {
    const stale = await begin(180);
    expect([stale.setup, stale.refusal]).toEqual([undefined, expect.objectContaining({ code: "signed_out" })]);
    expect([await stale.confirm(), stale.stored()]).toEqual([stale.refusal, [0, 0]]);
    const recent = await begin(10);
    expect([await recent.confirm(), recent.stored()]).toEqual([{ url: ORIGIN }, [1, 1]]);
  });

  it("enrols it only after the proof that changes of settings require", async () => {
    const { pending, refusal, confirm, stored } = await begin(10, [stepUp({ settings: { within: "5m" } }), keep]);
    expect(refusal).toMatchObject({
      code: "proof_required",
      url: expect.stringContaining("/auth/step-up?level=settings"),
    });
    const back = new URL(String(refusal.url)).searchParams.get("callbackUrl");
    expect(back).toBe(`${ORIGIN}/auth/factor?pending=${pending}`);
    expect([await confirm(), stored()]).toEqual([refusal, [0, 0]]);
  });
});
