import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { type Browser, createBrowser } from "@cardea/testing";
import { array, assert, constantFrom, property, string } from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { codePoint } from "../../testing/src/arbitrary-text.ts";
import { isLong, share } from "../../testing/src/long-form.ts";
import { type AttemptsOptions, attempts } from "./attempts.ts";
import { foldName } from "./fold-name.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

/** A form whose fields are not declared; the application looks at `username`, whatever else is sent. The password is "right". */
function createApplication(options: AttemptsOptions = {}, own = "username") {
  let checked = 0;
  let written = 0;
  const store = memoryStore();
  const { add } = store;
  store.add = async (key, by, o) => {
    written++;
    return add.call(store, key, by, o);
  };
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: quiet,
    extensions: [attempts(options)],
    store,
    providers: [
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: {},
        authorize: ({ [own]: username, password }) => {
          checked++;
          return password === "right" && typeof username === "string" ? { id: username } : null;
        },
      },
    ],
  });
  const newBrowser = () =>
    createBrowser((request) => (request.method === "GET" ? handlers.GET(request) : handlers.POST(request)), {
      origin: "https://app.example.com",
    });
  return { newBrowser, checked: () => checked, written: () => written };
}

async function tryIn(browser: Browser, fields: Record<string, string>): Promise<string> {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, ...fields });
  const headers = { "X-Auth-Return-Redirect": "1" };
  const answer = await browser.fetch("/auth/callback/password", { method: "POST", body, headers });
  const { url }: { url: string } = await answer.json();
  return new URL(url, "https://app.example.com").searchParams.get("code") ?? "in";
}

const FIELDS = share(["email", "user", "login", "identifier", "name", "phone"], 3, 0);

describe("a field that is spelled otherwise", () => {
  const spellings = ["Email", "e-mail", "userName", "USER_NAME", "user-id", "Login", "phoneNumber", "Email Address"];
  it.each(spellings)("is counted for its account (%s)", async (field) => {
    const app = createApplication({}, field);
    const stranger = app.newBrowser();
    for (let n = 0; n < 15; n++) await tryIn(stranger, { [field]: "ann", password: "wrong" });
    expect(app.checked()).toBe(10);
    expect(await tryIn(stranger, { [field]: "bob", password: "right" })).toBe("in");
  });
});

describe("more names than a form has", () => {
  it("are refused unread, and leave nothing in the store", async () => {
    const app = createApplication();
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`email${n}`, `${n}`]));
    expect(await tryIn(app.newBrowser(), { ...names(13), username: "0", password: "right" })).toBe("too_many_attempts");
    expect([app.checked(), app.written()]).toEqual([0, 0]);
    expect(await tryIn(app.newBrowser(), { ...names(12), username: "0", password: "right" })).toBe("in");
  });

  it("a name costs few comparisons, whatever its characters", async () => {
    let compared = 0;
    const { compare } = new Intl.Collator("und", { sensitivity: "base", usage: "search" });
    const counting = (one: string, other: string) => {
      compared += 1;
      return compare(one, other);
    };
    vi.spyOn(Intl, "Collator").mockImplementation(function Counting() {
      return { compare: counting } as unknown as Intl.Collator;
    });
    vi.resetModules();
    const { foldName: fold } = await import("./fold-name.ts");
    compared = 0;
    const fresh = (first: number) => String.fromCodePoint(...Array.from({ length: 85 }, (_, n) => first + n));
    for (const first of [0x0400, 0x3400, 0x4e00, 0xac00, 0x1f600, 0x20000]) fold(fresh(first));
    expect(compared).toBeLessThan(6 * 85 * 2 * 2 * 7);
  });
});

describe("a name in another field", () => {
  it.each(FIELDS)("is no way around the limit of an account (%s)", async (field) => {
    const app = createApplication();
    const stranger = app.newBrowser();
    for (let n = 0; n < 15; n++) await tryIn(stranger, { username: "ann", [field]: `x${n}`, password: "wrong" });
    expect(app.checked()).toBe(10);
    expect(await tryIn(stranger, { username: "ann", password: "right" })).toBe("too_many_attempts");
  });

  it.each(FIELDS)("gives no tries at another account back, and makes no device known to it (%s)", async (field) => {
    const app = createApplication();
    const mallory = app.newBrowser();
    for (let n = 0; n < 8; n++) await tryIn(mallory, { username: "ann", password: "wrong" });
    expect(await tryIn(mallory, { username: "mallory", [field]: "ann", password: "right" })).toBe("in");
    for (let n = 0; n < 8; n++) await tryIn(mallory, { username: "ann", password: "wrong" });
    expect(app.checked()).toBe(8 + 1 + 1);
  });

  it("ends no row of a hundred tries, and a form with two fields fills none", async () => {
    const app = createApplication({ limits: { signin: "" } });
    const mallory = app.newBrowser();
    for (let n = 0; n < 60; n++) await tryIn(mallory, { username: "ann", password: "wrong" });
    for (let n = 0; n < 30; n++) await tryIn(mallory, { username: "mallory", email: "ann", password: "right" });
    const before = app.checked();
    for (let n = 0; n < 60; n++) await tryIn(mallory, { username: "ann", email: `${n}`, password: "wrong" });
    expect(app.checked() - before).toBe(40);
  });
});

describe("foldName()", () => {
  // As MariaDB 10.11 has them in utf8mb4_unicode_ci, utf8mb4_general_ci or utf8mb4_uca1400_ai_ci.
  it.each([
    ["user1", "user١"],
    ["user1", "𝖚s𝖊r①"],
    ["bob", "BØB"],
    ["jess", "jeß"],
    ["jess", "jesß"],
    ["jess", "jeẞ"],
    ["admin", "ad\u0001min"],
    ["admin", "ádmin"],
    ["admin", "ad\u00admin\u200b\u2060"],
    ["aeon", "Æon"],
    ["bob", "bo\u0336b"],
    ["σίσυφος", "ΣΊΣΥΦΟΣ"],
    ["ёж", "ЕЖ"],
  ])("%j and %j are one account", (one, other) => {
    expect(foldName(other)).toBe(foldName(one));
  });

  it("is the same for all texts that are equal at level 1 of the Unicode Collation Algorithm", () => {
    const collator = new Intl.Collator("und", { sensitivity: "base" });
    const pieces = ["a", "á", "Ä", "ａ", "\u00ad", "ø", "o", "1", "١", "①", "ß", "ss", "s", "ﬀ", "\u0345", "ａ\u0300"];
    const text = array(constantFrom(...pieces), { minLength: 1, maxLength: 6 });
    assert(
      property(text, text, (one, other) => {
        const [a, b] = [one.join(""), other.join("")];
        expect(collator.compare(`x${a}x`, `x${b}x`) !== 0 || foldName(a) === foldName(b)).toBe(true);
      }),
      { numRuns: isLong ? 2000 : 50 },
    );
  });

  it("takes any text, and the beginning of a long one", () => {
    assert(
      property(string({ unit: codePoint, maxLength: 40 }), (name) => {
        expect(foldName(name)).toBe(foldName(name.toUpperCase()));
      }),
    );
    const long = String.fromCodePoint(...Array.from({ length: 60_000 }, (_, n) => 0x4e00 + (n % 20_000)));
    expect(foldName(long)).toBe(foldName(long.slice(0, 255)));
  });
});

describe("what cannot be named", () => {
  const tries = async (options: AttemptsOptions, own: string, fieldsOf: (n: number) => Record<string, string>) => {
    const warn = vi.spyOn(quiet, "warn");
    const { newBrowser, checked } = createApplication({ knownDevice: false, ...options }, own);
    const browser = newBrowser();
    for (let n = 0; n < 14; n++) await tryIn(browser, { password: "wrong", ...fieldsOf(n) });
    const told = warn.mock.calls.flat().filter((text) => String(text).includes("attempts-unnamed"));
    return { checked: checked(), warnings: told.length };
  };

  it("ten tries are checked for a name, whatever invisible text is put into it, and however much", async () => {
    const parts = ["", "a", "an", "ann"];
    const spelling = (n: number) => {
      const start = parts[n % 4] ?? "";
      return start + "\u200b".repeat(100 + 60 * n) + "ann".slice(start.length);
    };
    expect(await tries({}, "username", (n) => ({ username: spelling(n) }))).toEqual({ checked: 10, warnings: 0 });
  });

  it.each([
    ["an unknown field", "handle", (n: number) => ({ handle: `user-${n}` })],
    ["no field at all", "handle", () => ({})],
    ["an empty name", "username", () => ({ username: "" })],
    ["names of invisible text", "username", (n: number) => ({ username: "\u200b".repeat(n + 1) })],
    ["names longer than any user has", "username", (n: number) => ({ username: `${n}${"x".repeat(1024)}` })],
  ])("attempts with %s share one limit, and a warning says so once", async (_, own, fieldsOf) => {
    expect(await tries({}, own, fieldsOf)).toEqual({ checked: 10, warnings: 1 });
  });

  it("`accountOf` gives each account its own limit again", async () => {
    const accountOf: NonNullable<AttemptsOptions["accountOf"]> = ({ credentials }) =>
      typeof credentials?.handle === "string" ? credentials.handle : undefined;
    expect((await tries({ accountOf }, "handle", (n) => ({ handle: `user-${n}` }))).checked).toBe(14);
    expect((await tries({ accountOf }, "handle", () => ({ handle: "ann" }))).checked).toBe(10);
    expect((await tries({ accountOf }, "handle", () => ({}))).checked).toBe(10);
  });

  it("a success does not restore the shared limit", async () => {
    const { newBrowser, checked } = createApplication({ knownDevice: false }, "handle");
    for (let n = 0; n < 14; n++)
      await tryIn(newBrowser(), { password: n % 2 ? "right" : "wrong", handle: `user-${n}` });
    expect(checked()).toBeLessThanOrEqual(11);
  });
});
