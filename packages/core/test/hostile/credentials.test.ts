import { CredentialsSignin } from "@cardea/core/errors";
import type { CredentialsProvider } from "@cardea/core/providers";
import type { Visit } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, type Case, expectRefused, ORIGIN, PASSWORD, recordOf, setUp } from "../harness/harness.ts";

const CALLBACK = `${BASE}/callback/door`;
type Authorize = CredentialsProvider["authorize"];

/** A case whose one provider checks credentials as `authorize` says. */
function withDoor(
  authorize: Authorize,
  credentials: CredentialsProvider["credentials"] = { username: {}, password: {} },
) {
  return setUp({ config: { providers: [{ id: "door", name: "Door", type: "credentials", credentials, authorize }] } });
}

/** What a careless `authorize` may return. */
function parseUser(value: unknown): { id: string } | null {
  return value as { id: string } | null;
}

/** A case that keeps what `authorize` was given. */
function listening(credentials?: CredentialsProvider["credentials"]) {
  const given: unknown[] = [];
  const c = withDoor((fields) => {
    given.push(fields);
    return { id: "1" };
  }, credentials);
  return { c, given };
}

/** A POST of JSON with the browser's token. */
async function postJson(c: Case, members: string): Promise<Visit> {
  const body = `{"csrfToken":"${await c.csrfToken()}",${members}}`;
  return c.browser.fetch(CALLBACK, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
    follow: "none",
  });
}

/** The answer without what differs from one to the next by chance: sealed values. */
function likeness(visit: Visit) {
  const { status, headers, body, logs } = recordOf(visit);
  const lines = [...headers].map(([name, value]) => `${name}: ${value.replace(/eyJ[^;]+/g, "…")}`);
  return { status, lines, body, logs: logs.map(({ level, text }) => `${level} ${text}`) };
}

async function expectError(c: Case, visit: Visit, query: string): Promise<void> {
  expectRefused(visit);
  expect([visit.status, visit.redirectsTo]).toEqual([302, `${ORIGIN}${BASE}/${query}`]);
  expect(await c.session()).toBe(null);
}

describe("credentials", () => {
  it.each([
    [undefined, true],
    [null, false],
  ])("the log names an authorize that returned %o by mistake: %s", async (answer, isNamed) => {
    const c = withDoor(async () => parseUser(answer));
    const { logs } = recordOf(await c.post(CALLBACK));
    const text = logs.map((line) => line.text).join("\n");
    expect(text.includes("authorize() returned undefined: return a user, or null.")).toBe(isNamed);
  });

  it.each([[null], [undefined], [false]])("H204 shows CredentialsSignin when authorize returns %o", async (answer) => {
    const c = withDoor(async () => parseUser(answer));
    await expectError(c, await c.post(CALLBACK), "signin?error=CredentialsSignin&code=credentials");
  });

  it("H204 keeps the code of a CredentialsSignin, and nothing else of it", async () => {
    class Locked extends CredentialsSignin {
      override code = "locked & bolted";
    }
    const c = withDoor(() => {
      throw new Locked("canary of authorize()");
    });
    const visit = await c.post(CALLBACK);
    await expectError(c, visit, "signin?error=CredentialsSignin&code=locked+%26+bolted");
    expect(visit.redirectsTo).not.toContain("canary");
  });

  it("H206 shows and logs nothing of a password that authorize puts into its error", async () => {
    const password = `${PASSWORD} "ü" & 100%`;
    const inForm = new URLSearchParams({ x: password }).toString().slice(2);
    for (const spelled of [password, encodeURIComponent(password), inForm, JSON.stringify(password)]) {
      const c = withDoor(() => {
        throw new Error(`db pw=${spelled}`, { cause: new Error(`select ${spelled}`) });
      });
      for (const value of [password, spelled, spelled.slice(1, -1)]) c.plant(value);
      const visit = await c.post(CALLBACK, { username: "ann", password });
      await expectError(c, visit, "error?error=Configuration");
      expect(recordOf(visit).logs.filter(({ level }) => level === "error")).toHaveLength(1);
    }
  });

  it.each([
    ["a string"],
    [[]],
    [[{ id: "1" }]],
    [5],
    [true],
    [{}],
    [{ id: "" }],
    [{ id: null }],
    [{ id: {} }],
    [{ name: "x" }],
  ])("H207 refuses %o from authorize: no identity is made up", async (answer) => {
    const c = withDoor(() => parseUser(answer));
    await expectError(c, await c.post(CALLBACK, { username: "ann" }), "error?error=Configuration");
  });

  it.each([
    ["throws a string", "boom"],
    ["throws nothing", undefined],
    ["throws null", null],
    ["throws a frozen error", Object.freeze(new Error("boom"))],
    ["throws what only looks like CredentialsSignin", { type: "CredentialsSignin", code: "x" }],
  ])("H207 shows Configuration when authorize %s", async (_, thrown) => {
    const c = withDoor(() => Promise.reject(thrown));
    await expectError(c, await c.post(CALLBACK), "error?error=Configuration");
  });

  it("H209 gives authorize declared fields that are text, and nothing else", async () => {
    const { c, given } = listening();
    const evil = '"username":{"$ne":null},"password":["x"],"admin":true,"role":"admin","__proto__":{"admin":true}';
    await postJson(c, evil);
    await postJson(c, `"username":"ann","password":"x","constructor":{"prototype":{"admin":true}}`);
    expect(given).toEqual([{}, { username: "ann", password: "x" }]);
    expect(Object.prototype).not.toHaveProperty("admin");
    for (const fields of given) expect(Object(fields).admin).toBeUndefined();
  });

  it("H209 gives authorize every field that is text where none is declared, but none of ours", async () => {
    const { c, given } = listening({});
    await postJson(c, '"anything":"goes","__proto__":{"admin":true},"callbackUrl":"/x","list":["x"],"toString":"y"');
    expect(given).toEqual([{ anything: "goes", toString: "y" }]);
    expect(Object.getPrototypeOf(given[0])).toBe(Object.prototype);
  });

  it.each([
    ["spaces around it", "  pass word  "],
    ["composed letters", "caf\u00e9 \u00c5"],
    ["decomposed letters", "cafe\u0301 A\u030a"],
    ["NUL and controls", "a\u0000b\u001fc\u007f"],
    ["64 characters", "x".repeat(64)],
    ["4096 characters", "y".repeat(4096)],
    ["form syntax", "a+b%20c&d=e;f%zz"],
    ["JSON syntax", '{"a":"b\\u0000"}\\'],
    ["line breaks", "a\r\nb\nc\rd"],
    ["an emoji", "🔑🔑"],
  ])("H211 hands a password with %s to authorize byte for byte, from a form and from JSON", async (_, password) => {
    const { c, given } = listening();
    await c.post(CALLBACK, { username: " Ann ", password });
    await postJson(c, `"username":" Ann ","password":${JSON.stringify(password)}`);
    expect(given).toEqual([
      { username: " Ann ", password },
      { username: " Ann ", password },
    ]);
  });

  it("H211 gives authorize the request as it came, with a body that can be read", async () => {
    const seen: unknown[] = [];
    const c = withDoor(async (_, request) => {
      seen.push(
        request.method,
        request.url,
        request.headers.get("x-client"),
        await request.formData().then((form) => form.get("password")),
      );
      return { id: "1" };
    });
    await c.post(`${CALLBACK}?tenant=a`, { password: PASSWORD }, { "x-client": "app" });
    expect(seen).toEqual(["POST", `${ORIGIN}${CALLBACK}?tenant=a`, "app", PASSWORD]);
  });

  it("H212 takes no credentials from a URL", async () => {
    const { c, given } = listening();
    for (const method of ["GET", "HEAD"]) {
      const response = await c.send(`${CALLBACK}?username=ann&password=${PASSWORD}`, { method });
      expect(recordOf(response).status).toBe(method === "GET" ? 405 : 200);
    }
    await c.browser.navigate(`${CALLBACK}?username=ann&password=${PASSWORD}`, {
      form: { csrfToken: await c.csrfToken() },
    });
    expect(given).toEqual([{}]);
  });

  it("H214 answers a wrong password and an unknown user alike", async () => {
    const c = setUp();
    const wrong = await c.signIn({ password: "wrong-password" });
    const unknown = await c.signIn({ username: "unknown", password: "wrong-password" });
    expect(likeness(unknown)).toEqual(likeness(wrong));
  });

  it("H207 does not let a field name the user: without an id from authorize no one is signed in", async () => {
    const c = withDoor(() => parseUser({}));
    const visit = await c.post(CALLBACK, { id: "admin", userId: "admin", sub: "admin" });
    await expectError(c, visit, "error?error=Configuration");
  });
});
