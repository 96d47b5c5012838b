import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { renderConfirmAddress, renderConfirmAgain, renderConfirmElsewhere } from "../accounts/confirm-address-page.ts";
import { renderConfirmEmail } from "../email/confirm-email.ts";
import { renderVerifyRequest } from "../email/verify-request-page.ts";
import type { Page, PageFrame, SignInOption } from "../model/result.ts";
import type { SignInForm } from "../model/sign-in-method-spec.ts";
import type { Markup } from "../model/theme.ts";
import { type Html, html } from "./html.ts";

import { brought } from "./layout.ts";
import { renderPage as renderHtml } from "./render-page.ts";
import { englishTexts } from "./texts.ts";

const PAYLOADS = [
  '"><script>alert(1)</script>',
  "</style><script>x</script>",
  "' onfocus='x",
  "<!--",
  "]]>",
  "&lt;script&gt;",
  "javascript:alert(1)",
  "red}</style>",
  "{host}",
  "`x`",
];

/** Text that wants to break out; the letter keeps it from being empty, which would change what is shown. */
const hostile = fc
  .oneof(fc.constantFrom(...PAYLOADS), fc.string(), fc.string({ unit: codePoint }))
  .map((text) => `x${text}`);

/** The pages of the kernel, then those of parts. */
const KINDS = [
  ...(["signin", "signout", "error", "confirm-account"] as const),
  ...(["verify-request", "confirm-email"] as const),
  ...(["confirm-address", "confirm-address-again", "confirm-address-elsewhere"] as const),
] as const;

/** The same data twice: once with hostile texts, once with harmless ones. */
const twins = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    texts: fc.array(hostile, { minLength: 8, maxLength: 8 }),
    redirects: fc.nat({ max: 3 }),
    forms: fc.nat({ max: 3 }),
    passkeys: fc.nat({ max: 2 }),
    csrf: fc.boolean(),
    error: fc.boolean(),
    typed: fc.option(fc.boolean()),
  })
  .map((shape) => ({
    hostile: make(shape, shape.texts),
    harmless: make(
      shape,
      shape.texts.map(() => "x"),
    ),
  }));

interface Shape {
  readonly kind: (typeof KINDS)[number];
  readonly redirects: number;
  readonly forms: number;
  readonly passkeys: number;
  readonly csrf: boolean;
  readonly error: boolean;
  readonly typed: boolean | null;
}

function make(shape: Shape, texts: readonly string[]): { page: Page; frame: PageFrame } {
  const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = ""] = texts;
  const theme = { brandColor: `#${a}`, buttonText: `#${b}`, logo: `/\\${c}`, homeUrl: c, brandName: e };
  const frame: PageFrame = { theme, host: d, nonce: e };
  const csrfToken = shape.csrf ? f : null;
  const error = shape.error ? g : null;
  const redirect: SignInOption = {
    kind: "redirect",
    id: a,
    name: b,
    action: c,
    style: { logo: `data:image/png,${d.replace(/[^ -~]/g, "")}`, bg: `#${e}`, text: h },
  };
  const input = {
    label: c,
    type: d,
    placeholder: e,
    pattern: f,
    autocomplete: g,
    inputmode: h,
    [`on${a}`]: b,
    value: a,
  };
  const form: SignInOption = {
    kind: "credentials",
    id: a,
    name: b,
    action: c,
    fields: { email: { label: c }, [`${d}.`]: input },
  };
  const fields = { email: { label: a, autocomplete: b } };
  const urls = { options: c, action: d, script: { url: `/${e.replace(/^[\\/]+/, "")}`, integrity: h } };
  const passkey: SignInOption = {
    kind: "scripted",
    id: f,
    name: g,
    ...urls,
    fields,
    autofill: shape.csrf,
    form: formOf,
  };
  const forms = [...repeat(form, shape.forms), ...repeat(passkey, shape.passkeys)];
  const options = [...repeat(redirect, shape.redirects), ...forms];
  switch (shape.kind) {
    case "signin":
      return {
        frame,
        page: {
          ...{ kind: "signin", options, csrfToken, callbackUrl: h, error, sections: [{ title: a, main: b }] },
          ...{ action: a, lastMethod: shape.csrf ? a : undefined },
          identifier: shape.typed === null ? null : { text: c, isEdited: shape.typed },
        },
      };
    case "signout":
      return { frame, page: { kind: "signout", action: a, csrfToken, callbackUrl: h, stale: shape.error } };
    case "error":
      return { frame, page: { kind: "error", error, signInUrl: a } };
    case "verify-request": {
      const sent = { email: a, again: shape.error ? b : null, edit: c, csrfToken, callbackUrl: d };
      return { frame, ...brought(renderVerifyRequest, { sent }) };
    }
    case "confirm-email": {
      const hidden = { csrfToken, token: b, email: c, callbackUrl: h };
      return { frame, ...brought(renderConfirmEmail, { action: a, hidden }) };
    }
    case "confirm-address": {
      const redirects = repeat(redirect, shape.redirects).filter((option) => option.kind === "redirect");
      const form = { action: a, step: shape.csrf ? b : null, csrfToken, callbackUrl: c, mark: d };
      const [signInUrl, waiting] = shape.error ? [null, a] : [d, null];
      const links = shape.csrf ? [] : repeat({ name: a, action: b }, shape.redirects);
      const content = { ...form, email: e, options: redirects, signInUrl, waiting, links };
      return { frame, ...brought(renderConfirmAddress, content) };
    }
    case "confirm-account": {
      const form = { action: a, csrfToken, callbackUrl: b, pending: c };
      return { frame, page: { kind: shape.kind, ...form, provider: d, account: e, user: h, mayAdd: shape.error } };
    }
    case "confirm-address-again": {
      const content = { action: a, step: b, csrfToken, callbackUrl: c, email: d, mark: e };
      return { frame, ...brought(renderConfirmAgain, content) };
    }
    case "confirm-address-elsewhere":
      return { frame, ...brought(renderConfirmElsewhere, { signInUrl: a }) };
  }
}

function repeat<T>(item: T, times: number): T[] {
  return Array.from({ length: times }, () => item);
}

/** The characters that make tags and attributes, in their order. What broke out would add some. */
function skeleton(html: string): string {
  return html.replace(/[^<>"'`]/g, "");
}

/** Every tag with the names of its attributes. */
function elements(html: string): string[] {
  return [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
}

/** The part of a way to sign in that a provider brings: fields, and whatever it makes of the texts it is given. */
function formOf({ options, fields, field, wrap }: SignInForm): Markup {
  const all = Object.entries(fields).map(([name, input]) => field(name, input, "hint") as Html);
  return html`<div data-options="${options}">${all}${wrap(html`<button>x</button>`) as Html}</div>`;
}

function renderPage(page: Page, frame: PageFrame, texts = englishTexts): string {
  return renderHtml(page, frame, texts).toString();
}

describe("renderPage()", () => {
  it("H293 H294 escapes every field of the data: nothing breaks out of its place", () => {
    fc.assert(
      fc.property(twins, ({ hostile: one, harmless: other }) => {
        const text = renderPage(one.page, one.frame);
        const expected = renderPage(other.page, other.frame);
        expect(skeleton(text)).toBe(skeleton(expected));
        expect(elements(text)).toEqual(elements(expected));
      }),
      { numRuns: 500 },
    );
  });

  it("H294 leads nowhere but to paths and http(s) URLs", () => {
    fc.assert(
      fc.property(twins, ({ hostile: { page, frame } }) => {
        for (const [, url = ""] of renderPage(page, frame).matchAll(/ (?:href|src)="([^"]*)"/g)) {
          expect(url).toMatch(/^(?:\/(?![/\\])|https?:\/\/|data:image\/png,|data:,$)/);
        }
      }),
    );
  });

  it("H296 needs no style attribute, and no script but that of passkeys, whatever the data", () => {
    fc.assert(
      fc.property(twins, ({ hostile: { page, frame } }) => {
        const tags = elements(renderPage(page, frame)).join("");
        expect(tags).not.toMatch(/<(?:base|iframe|object|embed)|\s(?:style|on\w+)=/i);
        const hasPasskeys = page.kind === "signin" && page.options.some(({ kind }) => kind === "scripted");
        const scripts = tags.match(/<script[^>]*>/g) ?? [];
        expect(scripts).toEqual(hasPasskeys ? ['<script src="" integrity="" defer>'] : []);
        expect(tags.match(/<style/g)).toHaveLength(1);
        // The icon that says there is none, so that browsers ask for none.
        expect(tags.match(/<link/g)).toHaveLength(1);
      }),
    );
  });

  it("speaks another language with other texts", () => {
    const texts = {
      ...englishTexts,
      lang: "de",
      signOut: { ...englishTexts.signOut, title: "Abmelden?", lead: "Bei {host}" },
    };
    const page: Page = { kind: "signout", action: "/", csrfToken: null, callbackUrl: "/", stale: false };
    const html = renderPage(page, { theme: {}, host: "app.example.com", nonce: "n" }, texts);
    expect(html).toContain('<html lang="de"');
    expect(html).toContain("<title>Abmelden? · app.example.com</title>");
    expect(html).toContain("Bei <bdi>app.example.com</bdi>");
  });
});
