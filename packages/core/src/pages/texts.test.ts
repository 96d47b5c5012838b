import { describe, expect, it } from "vitest";
import { html } from "./html.ts";
import { completeTexts, englishTexts, fill, ownText } from "./texts.ts";

describe("ownText()", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", ""])(
    "H292 finds nothing for %j",
    (key) => {
      expect(ownText(englishTexts.signIn.errors, key)).toBeUndefined();
      expect(ownText(englishTexts.error.kinds, key)).toBeUndefined();
    },
  );

  it("finds an own key, with its exact case alone", () => {
    expect(ownText(englishTexts.signIn.errors, "Callback")).toBe(englishTexts.signIn.errors.Callback);
    expect(ownText(englishTexts.signIn.errors, "callback")).toBeUndefined();
  });
});

describe("completeTexts()", () => {
  it("keeps English beside every single text that an application gives", () => {
    const texts = completeTexts({
      signIn: { errors: { Callback: "Noch einmal." } },
      error: { kinds: { Verification: { title: "Zu spät" } }, unknown: { text: "Hm." }, crossSite: { title: "Fremd" } },
    });
    const { signIn, error } = englishTexts;
    expect(texts).toEqual({
      ...englishTexts,
      signIn: { ...signIn, errors: { ...signIn.errors, Callback: "Noch einmal." } },
      error: {
        ...error,
        kinds: { ...error.kinds, Verification: { ...error.kinds.Verification, title: "Zu spät" } },
        unknown: { ...error.unknown, text: "Hm." },
        crossSite: { ...error.crossSite, title: "Fremd" },
      },
    });
  });

  it("ignores what is no text, and what would replace several texts or one", () => {
    const given = {
      signOut: "Abmelden",
      signIn: { title: 1, errors: null, lead: undefined },
      passkey: { submit: "Los" },
    };
    expect(completeTexts(given as object)).toEqual({ ...englishTexts, passkey: { submit: "Los" } });
  });

  it("is English where nothing is given", () => {
    expect(completeTexts({})).toEqual(englishTexts);
  });
});

describe("fill()", () => {
  it("puts values where the text names them, as often as it does", () => {
    expect(fill("{host}: {name} at {host}", { host: html`<b>h</b>`, name: "n" }).toString()).toBe(
      "<b>h</b>: n at <b>h</b>",
    );
  });

  it("H293 escapes values and the text itself, and fills nothing that a value contains", () => {
    expect(fill("<{name}", { name: "{host}<", host: "h" }).toString()).toBe("&#60;{host}&#60;");
  });

  it("shows nothing for an unknown name", () => {
    expect(fill("a{constructor}b", {}).toString()).toBe("ab");
  });
});

describe("englishTexts", () => {
  it("has a different text for each error", () => {
    const texts = [
      ...Object.values(englishTexts.signIn.errors),
      englishTexts.signIn.unknownError,
      ...Object.values(englishTexts.error.kinds).map(({ text }) => text),
      englishTexts.error.unknown.text,
    ];
    expect(new Set(texts).size).toBe(11 + 1 + 4 + 1);
  });
});
