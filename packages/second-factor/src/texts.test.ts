import { type ActionAnswer, html, type RequestTools } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { factorsPage, factorsPart } from "./factors-page.ts";
import { passkey, recoveryCodes, resolveOptions, totp } from "./options.ts";
import { codesPage, enrolPage, expiredPage, factorPage, fewCodesPage, passkeyPage, unavailablePage } from "./pages.ts";
import { renderQrCode } from "./qr-code.ts";
import { TEXTS } from "./texts.ts";

/** Each text is replaced by its name; placeholders stay. */
const named: Record<string, string> = Object.fromEntries(
  Object.entries(TEXTS).map(([name, text]) => [name, `[${name}]${(text.match(/\{\w+\}/g) ?? []).join(" ")}`]),
);

const frame = { baseUrl: "/auth", csrfToken: "x", pending: null, callbackUrl: null, lang: "en" };

/** Only the form for a passkey is used, which core renders. */
const t = {
  passkeys: { form: ({ submit }: { readonly submit: string }) => html`<button>${submit}</button>` },
} as unknown as RequestTools;

/** Every page, in every state. Values are digits. */
async function everyPage(): Promise<readonly ActionAnswer[]> {
  const settings = resolveOptions({ factors: [totp({ issuer: "" }), passkey(), recoveryCodes()], texts: named });
  const { texts } = settings;
  const setup = { setup: { secret: "2222", sealed: "1", uri: "1" }, qrCode: await renderQrCode("1", texts.qrCode) };
  const app = { id: "1", label: null, createdAt: new Date(0), usedAt: null };
  return [
    factorPage(frame, settings, null, t),
    ...(["totp", "recovery", "passkey"] as const).map((kind) => factorPage(frame, settings, "invalid_code", t, kind)),
    factorPage(frame, settings, "too_many_attempts", t),
    factorPage(frame, settings, "expired", t),
    enrolPage(texts, frame, "factor/totp", setup, "invalid_code"),
    codesPage(texts, ["1"], "/"),
    fewCodesPage(texts, 1, "/", "/"),
    fewCodesPage(texts, 2, "/", "/"),
    expiredPage(texts, "/"),
    passkeyPage(texts, "/"),
    unavailablePage(texts, frame),
    factorsPage(texts, frame, [], { left: 0, hasPasskey: false }),
    factorsPage(texts, frame, [app, { ...app, usedAt: new Date(0) }], { left: 1, hasPasskey: true }),
    factorsPage(texts, frame, [app], { left: 2, hasPasskey: true, hasAccount: true }),
    {
      kind: "page" as const,
      status: 200,
      title: "",
      main: factorsPart(texts, frame, [app], { left: 2, isEnrolled: true }),
    },
  ];
}

describe("texts", () => {
  it("replace every visible word, and each of them is used", async () => {
    const shown = (await everyPage()).map((page) => {
      if (page.kind !== "page") throw new Error("Not a page.");
      // Besides text, assistive technologies read labels.
      const labels = [...String(page.main).matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);
      return [page.title, String(page.main).replace(/<time.*?<\/time>|<[^>]*>/g, " "), ...labels].join(" ");
    });
    const all = shown.join(" ").replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(all.replaceAll(/\[\w+\]/g, "")).not.toMatch(/\p{L}/u);
    const used = new Set([...all.matchAll(/\[(\w+)\]/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(TEXTS).sort());
  });

  it("keep a word with a hyphen on one line", () => {
    const settings = resolveOptions({});
    const answer = factorPage(frame, settings, null, t);
    expect(answer.kind === "page" && String(answer.main)).toContain(
      'Enter the <span class="whole">six-digit</span> code',
    );
  });

  it("must be an object", () => {
    expect(() => resolveOptions({ texts: "none" as never })).toThrow("`texts`");
  });
});
