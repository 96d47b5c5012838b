import { Auth } from "@cardea/core";
import { WebAuthn, type WebAuthnOptions } from "@cardea/providers-webauthn";
import { createAuthenticator, type Manipulation } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BASE, ORIGIN, SECRET } from "../../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys, toStored } from "../../../core/test/harness/passkey-app.ts";

const COOKIE = "__Host-cardea.challenge";

/** Ann, with as many passkeys as asked for, signed out. */
async function withPasskeys(count: number, options: Parameters<typeof setUpPasskeys>[0] = {}): Promise<PasskeyCase> {
  const app = setUpPasskeys(options);
  for (let n = 0; n < count; n++) {
    const authenticator = createAuthenticator({ transports: n % 2 === 0 ? ["hybrid", "internal"] : ["usb"] });
    const asked = await app.options(`action=register&email=ann@example.com`);
    await app.answer("register", await authenticator.create(asked));
  }
  await app.signOut();
  return app;
}

/** An application whose users are found by a name; no one has registered. */
async function setUpUsernames(): Promise<PasskeyCase> {
  const getUserInfo: WebAuthnOptions["getUserInfo"] = async (_facts, { query }) =>
    query?.username === undefined ? null : { user: { name: String(query.username) }, exists: false };
  return setUpPasskeys({ passkey: { formFields: { username: {} }, enableConditionalUI: false, getUserInfo } });
}

/** What a stranger sees of an answer, with what is random taken out. */
async function look(app: PasskeyCase, query: string) {
  const before = app.memory.calls.length;
  const answer = await app.ask(query);
  const body: { action: string; options: Record<string, unknown> } = await answer.json();
  const calls = app.memory.calls.slice(before).map(({ method }) => method);
  const cookies = answer.headers.getSetCookie().filter((line) => line.startsWith(`${COOKIE}.`) && !/=;/.test(line));
  const { challenge: _challenge, allowCredentials, user, ...rest } = body.options;
  return { status: answer.status, action: body.action, rest, allowCredentials, user, calls, cookies };
}

/** Lengths alone: what is in it differs for everybody. */
const lengthsOf = (cookies: readonly string[]) => cookies.map((line) => line.length);
const idsOf = (listed: unknown) => parseList(listed).map(({ id }) => id);

describe("options for an address", () => {
  it.each([1, 3])("H231 authenticate: one with %i passkeys looks like one that no one has", async (count) => {
    const app = await withPasskeys(count);
    const known = await look(app, "action=authenticate&email=ann@example.com");
    const unknown = await look(app, "action=authenticate&email=bob@example.com");
    expect({ ...unknown, cookies: 0, allowCredentials: 0 }).toEqual({ ...known, cookies: 0, allowCredentials: 0 });
    expect(lengthsOf(unknown.cookies)).toEqual(lengthsOf(known.cookies));
    for (const listed of [known.allowCredentials, unknown.allowCredentials]) {
      const list = parseList(listed);
      expect(list).toHaveLength(8);
      expect(idsOf(list)).toEqual([...idsOf(list)].sort());
      for (const { type, transports, id } of list) {
        expect(type).toBe("public-key");
        expect(["hybrid,internal", "internal", "nfc,usb", "usb", undefined]).toContain(transports?.join());
        expect([16, 20, 32, 48, 64]).toContain(Buffer.from(id, "base64url").length);
      }
    }
  });

  it("H231 a user without a passkey, too", async () => {
    const app = setUpPasskeys();
    await app.ask("action=authenticate");
    await app.post(`${BASE}/signin/email`, { email: "ann@example.com", callbackUrl: "/" });
    await app.open();
    await app.signOut();
    const known = await look(app, "action=authenticate&email=ann@example.com");
    const unknown = await look(app, "action=authenticate&email=bob@example.com");
    expect(unknown.calls).toEqual(known.calls);
    expect([idsOf(unknown.allowCredentials).length, idsOf(known.allowCredentials).length]).toEqual([8, 8]);
  });

  it("H231 register: a taken address looks like a free one", async () => {
    const app = await withPasskeys(1);
    const taken = await look(app, "action=register&email=ann@example.com&name=Ann");
    const free = await look(app, "action=register&email=bob@example.com&name=Bob");
    expect({ ...free, cookies: 0, user: 0 }).toEqual({ ...taken, cookies: 0, user: 0 });
    expect(lengthsOf(free.cookies)).toEqual(lengthsOf(taken.cookies));
    expect(taken.rest).toMatchObject({ excludeCredentials: [] });
    expect(taken.user).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      name: "ann@example.com",
      displayName: "Ann",
    });
    expect(free.user).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      name: "bob@example.com",
      displayName: "Bob",
    });
  });

  it("H231 what is stored of a person is not shown to anyone who types their address", async () => {
    const app = setUpPasskeys();
    await app.signInWithOp();
    const [user] = app.memory.snapshot().users;
    await app.signOut();
    const asked = await app.ask(`action=register&email=${user?.email}`);
    expect(await asked.text()).not.toContain(user?.name ?? "no name");
  });

  it("H231 the made-up list stays the same, for each address another", async () => {
    const app = setUpPasskeys();
    const ask = async (query: string, id?: string) =>
      idsOf((await app.options(`action=authenticate&${query}`, id)).allowCredentials);
    const bob = await ask("email=bob@example.com");
    expect(await ask("email=BOB@example.com")).toEqual(bob);
    app.browser.cookies.clear();
    expect(await ask("email=bob@example.com&name=other")).toEqual(bob);
    const others = await ask("email=eve@example.com");
    expect(bob.filter((id) => others.includes(id))).toEqual([]);
    expect(new Set([...bob, ...others]).size).toBe(16);
  });

  it("H231 nothing but what identifies the user changes a list", async () => {
    const app = await withPasskeys(1);
    const named = await setUpUsernames();
    const text = fc.string({ unit: fc.constantFrom(..."aZ09-_ é") });
    const name = text.filter(
      (one) => !["action", "callbackUrl", "csrfToken", "email", "username", "__proto__", ""].includes(one),
    );
    const params = fc.array(fc.tuple(name, text), { maxLength: 5 });
    const lists = new Map<string, string[]>();
    const property = fc.asyncProperty(
      params,
      fc.nat(5),
      fc.constantFrom("passkey", "webauthn"),
      async (more, at, id) => {
        for (const [place, key, value] of [
          [app, "email", "ann@example.com"],
          [app, "email", "bob@example.com"],
          [named, "username", "ann"],
          [named, "username", "bob"],
        ] as const) {
          const pairs = more.toSpliced(Math.min(at, more.length), 0, [key, value]);
          const query = new URLSearchParams([["action", "authenticate"], ...pairs]);
          const ids = idsOf((await place.options(`${query}`, id)).allowCredentials);
          expect(ids).toEqual(lists.get(`${key} ${value}`) ?? ids);
          lists.set(`${key} ${value}`, ids);
        }
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });

  it("H231 H336 it stays the same while a secret is rotated", async () => {
    const app = await withPasskeys(1);
    const before = await app.options("action=authenticate&email=bob@example.com");
    const rotated = { ...app.config, secret: ["a new secret of more than thirty-two bytes", SECRET] };
    const url = `${ORIGIN}${BASE}/webauthn-options/passkey?action=authenticate&email=bob@example.com`;
    const { options } = await (await Auth(new Request(url), rotated)).json();
    expect(options.allowCredentials).toEqual(before.allowCredentials);
  });

  it("H231 the real one can be anywhere in the list, and signs in", async () => {
    const places = new Set<number>();
    for (let n = 0; n < 12; n++) {
      const app = setUpPasskeys();
      await app.register(`email=ann@example.com`);
      await app.signOut();
      const { allowCredentials } = await app.options("action=authenticate&email=ann@example.com");
      places.add(allowCredentials.findIndex(({ id }) => id === app.authenticator.credentials[0]?.id));
      expect(await (await app.authenticate("email=ann@example.com")).json()).toEqual({ url: `${ORIGIN}/dash` });
    }
    expect([...places].every((place) => place >= 0 && place < 8)).toBe(true);
    expect(places.size, "twelve credentials, eight places").toBeGreaterThan(1);
  });

  it.each(["a visitor", "another user"])(
    "H231 %s learns nothing by presenting the listed ids as their own",
    async (who) => {
      const app = setUpPasskeys();
      await app.register();
      await app.signOut();
      const { allowCredentials } = await app.options("action=authenticate&email=ann@example.com");
      if (who === "another user") await app.signInWithOp();
      for (const { id } of allowCredentials) {
        const asked = await app.options(`action=register${who === "a visitor" ? "&email=bob@example.com" : ""}`);
        const data = await createAuthenticator().create(asked, { credentialId: id });
        expect((await (await app.answer("register", data)).json()).url).toContain("error=");
        const removed = encodeURIComponent(toStored(id));
        const { signals } = await (await app.ask(`action=signals&removed=${removed}`)).json();
        expect(signals?.unknownCredentialId).toBeUndefined();
      }
      expect(app.memory.snapshot().authenticators).toHaveLength(1);
    },
  );

  it("H231 every passkey of a user is offered", async () => {
    const app = await withPasskeys(10);
    const { allowCredentials } = await look(app, "action=authenticate&email=ann@example.com");
    const listed = idsOf(allowCredentials).map((id) => Buffer.from(id, "base64url").toString("hex"));
    const stored = app.memory.snapshot().authenticators;
    expect(stored).toHaveLength(10);
    for (const { credentialID } of stored)
      expect(listed).toContain(Buffer.from(credentialID, "base64url").toString("hex"));
    expect(listed).toHaveLength(16);
  });

  it("H231 some unknown addresses have a list as long", async () => {
    const app = await withPasskeys(1);
    const lengths = new Set<number>();
    for (let n = 0; n < 3000 && lengths.size < 2; n++)
      lengths.add(
        parseList((await look(app, `action=authenticate&email=user${n}@example.com`)).allowCredentials).length,
      );
    expect([...lengths].sort((a, b) => a - b)).toEqual([8, 16]);
  });

  it("H231 without an address nothing is listed", async () => {
    const app = await withPasskeys(1);
    expect((await look(app, "action=authenticate")).allowCredentials).toEqual([]);
    expect((await look(app, "")).allowCredentials).toEqual([]);
  });

  it("H231 a database that fails for one of two looks the same for both", async () => {
    const app = await withPasskeys(1);
    app.memory.fail({ method: "listAuthenticatorsByUserId", throws: new Error("down"), times: 2 });
    const known = await look(app, "action=authenticate&email=ann@example.com");
    const unknown = await look(app, "action=authenticate&email=bob@example.com");
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect([idsOf(known.allowCredentials).length, idsOf(unknown.allowCredentials).length]).toEqual([8, 8]);
    expect(app.logs.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("without an action: a user registers, a visitor signs in, whatever the address (docs/from-authjs.md#webauthn-options-action)", async () => {
    const app = await withPasskeys(1);
    for (const address of ["", "email=ann@example.com", "email=stranger@example.com"])
      expect((await look(app, address)).action).toBe("authenticate");
    const signedIn = setUpPasskeys();
    const asked = await signedIn.options("action=register&email=ann@example.com");
    await signedIn.answer("register", await createAuthenticator({ transports: ["usb"] }).create(asked));
    expect((await look(signedIn, "")).action).toBe("register");
  });

  it("spec 4.1 webauthn-options answers with an action and options as browsers take them", async () => {
    const app = setUpPasskeys();
    expect(await (await app.ask("action=authenticate")).json()).toEqual({
      action: "authenticate",
      options: {
        rpId: "app.example.com",
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        allowCredentials: [],
        timeout: 300_000,
        userVerification: "required",
      },
    });
    expect(await (await app.ask("action=register&email=ann@example.com")).json()).toMatchObject({
      action: "register",
      options: {
        rp: { id: "app.example.com", name: "app.example.com" },
        user: { name: "ann@example.com" },
        pubKeyCredParams: expect.arrayContaining([{ alg: -7, type: "public-key" }]),
        attestation: "none",
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        excludeCredentials: [],
        timeout: 300_000,
      },
    });
  });

  it.each(["action=delete", "action=", "action=REGISTER", "action=constructor"])(
    "spec 4.1 webauthn-options refuses %s",
    async (query) => {
      const app = setUpPasskeys();
      const answer = await app.ask(query);
      expect([answer.status, app.memory.calls.length]).toEqual([400, 0]);
    },
  );

  it.each(["op", "email", "credentials", "unknown"])(
    "spec 4.1 webauthn-options refuses the provider %s",
    async (id) => {
      const app = setUpPasskeys();
      expect((await app.ask("action=authenticate", id)).status).toBe(400);
    },
  );

  it("spec 4.1 webauthn-options needs no name where there is one provider", async () => {
    const app = setUpPasskeys();
    expect((await app.send(`${BASE}/webauthn-options?action=authenticate`)).status).toBe(400);
    const one = { ...app.config, providers: [WebAuthn()] };
    const answer = await Auth(new Request(`${ORIGIN}${BASE}/webauthn-options?action=authenticate`), one);
    expect(answer.status).toBe(200);
  });

  it("H048 the cookies of a ceremony have every attribute, and the answer is not kept", async () => {
    const app = setUpPasskeys();
    const answer = await app.ask("action=authenticate");
    const line = answer.headers.getSetCookie().find((one) => one.startsWith(COOKIE)) ?? "";
    expect(line).toMatch(
      /^__Host-cardea\.challenge\.[\w-]+=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(answer.headers.get("cache-control")).toContain("no-store");
    const signedUp = await app.register();
    for (const set of signedUp.headers.getSetCookie())
      expect(set).toMatch(/^__Host-(?:cardea\.session-mark=[^;]+;|[^;]+;.*HttpOnly;).* Secure; SameSite=Lax$/);
  });
});

function parseList(listed: unknown): { id: string; type: string; transports?: string[] }[] {
  return listed as { id: string; type: string; transports?: string[] }[];
}

describe("a passkey that no user has", () => {
  const MARKED = `userhash${"A".repeat(35)}`;
  /** What a stranger can vary of an answer whose key they do not have. */
  const LIES: readonly Manipulation[] = [
    {},
    { counter: 0 },
    { userPresent: false },
    { userVerified: false },
    { backupEligible: true },
    { backupEligible: false, backedUp: true },
    { userHandle: null },
    { userHandle: MARKED },
    { userHandle: "cmFuZG9t" },
    { origin: "https://evil.example" },
    { rpId: "evil.example" },
    { type: "webauthn.create" },
    { crossOrigin: true },
    { breakSignature: true },
  ];

  /** How a stranger's answer with an id fails, with what it costs the database. */
  async function fails(app: PasskeyCase, credentialId: string, lie: Manipulation) {
    // Of another key: the id is all that the stranger knows of the passkey.
    const stranger = createAuthenticator();
    const asked = await app.options("action=authenticate");
    await stranger.create({
      ...asked,
      rp: { id: "app.example.com", name: "" },
      user: { id: "dQ", name: "", displayName: "" },
    });
    const before = app.memory.calls.length;
    const answer = await app.answer("authenticate", await stranger.get(asked, { ...lie, credentialId }));
    const calls = app.memory.calls.slice(before).map(({ method }) => method);
    return { status: answer.status, body: await answer.json(), calls };
  }

  it.each(LIES)("H231 is refused as one that a user has, whatever a stranger answers: %o", async (lie) => {
    const app = await withPasskeys(1);
    const [real = ""] = app.memory.snapshot().authenticators.map(({ credentialID }) => credentialID);
    const realId = Buffer.from(real, "base64").toString("base64url");
    const [decoy = ""] = idsOf((await app.options("action=authenticate&email=bob@example.com")).allowCredentials);
    const known = await fails(app, realId, lie);
    expect(known.body).toEqual({ url: expect.stringContaining("error=Callback") });
    expect(await fails(app, decoy, lie)).toEqual(known);
    expect(app.memory.snapshot().authenticators).toHaveLength(1);
  });

  it("is named to the browser that presented it, and to none that was asked for an address", async () => {
    const app = setUpPasskeys();
    await app.register();
    await app.signOut();
    await app.memory.adapter.deleteUser("user-1");
    const codeOf = async (answer: Response) => new URL((await answer.json()).url).searchParams.get("code");
    expect(await codeOf(await app.authenticate())).toBe("unknown-credential");
    const asked = await app.options("action=authenticate&email=ann@example.com");
    const data = await app.authenticator.get({ ...asked, allowCredentials: [] });
    expect(await codeOf(await app.answer("authenticate", data))).toBe(null);
  });
});
