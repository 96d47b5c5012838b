/** Extensions and ways to sign in are given neither a session token nor a secret (docs/extensions.md#laws). */

import type { JWTCallbackParams } from "@cardea/core/types";
import { defineExtension, type SessionFormat, type SignInMethodDefinition } from "@cardea/extend";
import { Passkey } from "@cardea/providers-webauthn";
import { describe, expect, it } from "vitest";
import { type DatabaseCase, setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, SECRET } from "../harness/harness.ts";

/** Every text that is reachable from a value by its members, those of its prototypes and its getters. */
function textsIn(value: unknown, seen = new Set<unknown>(), depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || seen.has(value) || depth > 8) return [];
  seen.add(value);
  if (value instanceof Map) return [...value].flatMap((entry) => textsIn(entry, seen, depth + 1));
  if (value instanceof Request) return [...value.headers].flat();
  return keysOf(value).flatMap((key) => textsIn(read(value, key), seen, depth + 1));
}

function keysOf(value: object): PropertyKey[] {
  const chain: object[] = [];
  for (let one: object | null = value; one !== null && one !== Object.prototype; one = Object.getPrototypeOf(one))
    chain.push(one);
  return [...new Set(chain.flatMap(Reflect.ownKeys))];
}

function read(value: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** What a seam was given, and the header that its tools give. */
class Notebook {
  readonly texts: string[] = [];
  readonly seams = new Set<string>();
  /** Notes what was given, and returns the answer. */
  note<A>(seam: string, answer: A, ...given: readonly unknown[]): A {
    this.seams.add(seam);
    for (const one of given) {
      this.texts.push(...textsIn(one));
      const { headers } = Object(one) as { headers?: Pick<Headers, "get"> };
      for (const name of ["cookie", "Cookie"]) this.texts.push(headers?.get(name) ?? "");
    }
    return answer;
  }
  /** Which of some values were seen. */
  found(values: readonly string[]): string[] {
    return values.filter((value) => this.texts.some((text) => text.includes(value)));
  }
}

const FORMAT: SessionFormat = { id: "old", cookie: "old.session", emit: false, open: () => null };

function spy(notebook: Notebook) {
  return defineExtension({
    id: "spy",
    sessionFormats: [FORMAT],
    attempt: (...given) => notebook.note("attempt", { allow: true }, ...given),
    admit: (...given) => notebook.note("admit", { admit: true }, ...given),
    checkSession: (...given) => notebook.note("checkSession", "valid", ...given),
    onSession: (...given) => notebook.note("onSession", undefined, ...given),
    onSignOut: (...given) => notebook.note("onSignOut", undefined, ...given),
    section: (slot, t) => notebook.note("section", null, slot, t),
    actions: {
      "GET spy": {
        csrf: "none",
        segment: "none",
        answers: "json",
        head: "skip",
        run: (...given) => notebook.note("action", { kind: "empty", status: 204 }, ...given),
      },
    },
  });
}

async function signIn(c: DatabaseCase): Promise<void> {
  await c.ask("ann@example.com");
  await c.open();
}

describe.each(["jwt", "database"] as const)("with the strategy %s", (strategy) => {
  it.each([
    ["whole", 0],
    ["in chunks", 9_000],
  ])("no seam of an extension sees the session, %s, nor a secret", async (_, length) => {
    const notebook = new Notebook();
    const more = "x".repeat(length);
    const c = setUpDatabase({
      strategy,
      config: {
        extensions: [spy(notebook)],
        ...(strategy === "jwt" && { callbacks: { jwt: ({ token }: JWTCallbackParams) => ({ ...token, more }) } }),
      },
    });
    await signIn(c);
    const tokens = c.browser.cookies.list().filter(({ name }) => name.startsWith(COOKIE.session));
    const planted = ["__Host-old.session", "__Secure-old.session.12", "old.session", "old.session.20"];
    const strays = planted.map((name, n) => `${name}=planted-${n}-value`);
    const strayOwn = [`${COOKIE.session.replace(/^__\w+-/, "")}=planted-own-value`, `${COOKIE.session}.9=planted-9`];
    const own = c.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    const headers = { cookie: ["theirs=kept", ...strays, ...strayOwn, ...own].join("; ") };
    for (const path of ["session", "spy", "signin"]) await c.send(`${BASE}/${path}`, { headers });
    await c.signOut();
    const secrets = [SECRET, ...tokens.map(({ value }) => value), "planted-"];
    expect(tokens.length).toBeGreaterThanOrEqual(strategy === "jwt" && length > 0 ? 3 : 1);
    expect(notebook.found(secrets)).toEqual([]);
    expect(notebook.found(["theirs=kept"])).toEqual(["theirs=kept"]);
    expect([...notebook.seams].toSorted()).toEqual(
      expect.arrayContaining(["action", "admit", "checkSession", "onSession", "onSignOut"]),
    );
  });

  it("no way to sign in sees the session or a secret; the provider's own function gets every cookie", async () => {
    const notebook = new Notebook();
    const hooked: string[] = [];
    const provider = Passkey({
      getUserInfo: async (_facts, { cookies }) => {
        hooked.push(...Object.values(cookies));
        return { user: { id: "unknown", email: "ann@example.com" }, exists: false };
      },
    });
    const method = Object(provider.extension).method as SignInMethodDefinition;
    const start: SignInMethodDefinition["start"] = (query, t) => {
      notebook.note("start", undefined, query, t, t.pending, t.cookies);
      return method.start(query, t);
    };
    const c = setUpDatabase({
      strategy,
      config: { experimental: { enableWebAuthn: true } },
      providers: [{ ...provider, extension: Object.assign({}, provider.extension, { method: { ...method, start } }) }],
    });
    await signIn(c);
    const token = c.browser.cookies.list().find(({ name }) => name === COOKIE.session)?.value ?? "";
    const answer = await c.browser.fetch(`${BASE}/webauthn-options/passkey?action=authenticate&email=ann@example.com`);
    expect([answer.status, notebook.seams.size]).toEqual([200, 1]);
    expect(notebook.found([SECRET, token])).toEqual([]);
    expect(hooked).toContain(token);
  });
});

describe("authorize of an extension", () => {
  it("gets a request with its body, without the session", async () => {
    const notebook = new Notebook();
    const bodies: string[] = [];
    const extension = defineExtension({
      id: "door",
      authorize: async (_typed, request, t) => {
        notebook.note("authorize", undefined, request, t);
        bodies.push(await request.text());
        return null;
      },
    });
    const c = setUpDatabase({
      providers: [
        { id: "door", name: "Door", type: "credentials", credentials: { word: {} }, authorize: () => null, extension },
      ],
    });
    await signIn(c);
    const token = c.browser.cookies.list().find(({ name }) => name === COOKIE.session)?.value ?? "";
    await c.post(`${BASE}/callback/door`, { word: "sesame" });
    expect(token).not.toBe("");
    expect([notebook.found([SECRET, token]), bodies]).toEqual([[], [expect.stringContaining("sesame")]]);
  });
});

describe("resolve of a sign-in method", () => {
  it("cannot make its provider another one", async () => {
    const provider = Passkey();
    const method = Object(provider.extension).method as SignInMethodDefinition;
    const resolve: SignInMethodDefinition["resolve"] = (members) =>
      Object.assign({}, method.resolve(members), { id: "credentials", kind: "credentials", type: "credentials" });
    const c = setUpDatabase({
      config: { experimental: { enableWebAuthn: true } },
      providers: [
        { ...provider, extension: Object.assign({}, provider.extension, { method: { ...method, resolve } }) },
      ],
    });
    const listed = await (await c.send(`${BASE}/providers`)).json();
    expect(listed).toContainEqual(expect.objectContaining({ id: "passkey", type: "webauthn" }));
    expect(listed).toContainEqual(expect.objectContaining({ id: "credentials", name: "Password" }));
  });
});
