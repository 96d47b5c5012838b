import { type ActionAnswer, html, type RequestTools } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { askPage, donePage, expiredPage } from "./page.ts";
import { stepUp } from "./step-up.ts";
import { TEXTS } from "./texts.ts";

/** Each text is replaced by its name; placeholders stay. */
const named = Object.fromEntries(
  Object.entries(TEXTS).map(([name, text]) => [name, `[${name}]${(text.match(/\{\w+\}/g) ?? []).join(" ")}`]),
) as unknown as typeof TEXTS;

/** Only the form for a passkey is used, which core renders, and which extensions there are. */
const t = {
  passkeys: { form: ({ submit }: { readonly submit: string }) => html`<button>${submit}</button>` },
  hasExtension: () => true,
  baseUrl: "/auth",
} as unknown as RequestTools;

/** Every page, in every state. Values are digits. */
function everyPage(): readonly ActionAnswer[] {
  const level = { within: 1, factors: ["password", "totp", "passkey"], acr: [], bind: false } as const;
  const form = { level: "1", confirm: null, callbackUrl: "/", csrfToken: "1" };
  const methods = (["sign-in", "passkey", "oidc", "password", "totp"] as const).map((kind) => ({ kind, url: "/" }));
  const facts = { level, bind: null, error: null, username: "1" };
  return [
    askPage(named, methods, form, t, facts),
    askPage(named, methods, form, t, { ...facts, bind: { 1: 2 } }),
    ...["provider", "expired", "other"].map((error) => askPage(named, methods, form, t, { ...facts, error })),
    askPage(named, [], form, t, facts),
    donePage(named),
    expiredPage(named, "/"),
  ];
}

describe("texts", () => {
  it("replace every visible word, and each of them is used", () => {
    const shown = everyPage().map((page) => {
      if (page.kind !== "page") throw new Error("Not a page.");
      return `${page.title} ${String(page.main).replace(/<[^>]*>/g, " ")}`;
    });
    const all = shown.join(" ").replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(all.replaceAll(/\[\w+\]/g, "")).not.toMatch(/\p{L}/u);
    const used = new Set([...all.matchAll(/\[(\w+)\]/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(TEXTS).sort());
  });

  it("must be an object, beside no other option", () => {
    const levels = { settings: { within: "15m" } } as const;
    expect(() => stepUp(levels, { texts: { title: "Bestätigen" } })).not.toThrow();
    expect(() => stepUp(levels, { texts: "none" as never })).toThrow("`texts`");
    expect(() => stepUp(levels, { text: {} } as never)).toThrow("`text`");
  });
});
