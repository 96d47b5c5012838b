import { describe, expect, it } from "vitest";
import type { Page, PageFrame, SignInOption } from "../model/result.ts";
import { renderSignIn } from "./signin.ts";
import { englishTexts } from "./texts.ts";

const FRAME: PageFrame = { theme: {}, host: "app.example.com", nonce: "n0nce" };
const GITHUB: SignInOption = {
  kind: "redirect",
  id: "github",
  name: "GitHub",
  action: "/auth/signin/github",
  style: { bg: "#24292f" },
};
const CREDENTIALS: SignInOption = {
  kind: "credentials",
  id: "credentials",
  name: "Staff",
  action: "/auth/callback/credentials",
  fields: [
    { name: "username", input: {} },
    { name: "password", input: {} },
  ],
};

function render(change: Partial<Extract<Page, { kind: "signin" }>> = {}, frame: PageFrame = FRAME): string {
  const page = {
    kind: "signin",
    options: [CREDENTIALS, GITHUB],
    csrfToken: "t0ken",
    callbackUrl: "/next",
    error: null,
  } as const;
  return renderSignIn({ ...page, ...change }, frame, englishTexts);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe("renderSignIn()", () => {
  it("names the page and the host in the title and on the page", () => {
    expect(render()).toContain("<title>Sign in · app.example.com</title>");
    expect(render()).toContain('<h1>Sign in</h1>\n<p class="lead">to continue to <bdi>app.example.com</bdi></p>');
  });

  it("shows providers first, then a divider, then forms", () => {
    const html = render();
    const places = ["Sign in with GitHub", '<p class="or">or</p>', 'name="username"', ">Sign in</button>"].map((part) =>
      html.indexOf(part),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it("has no divider where there is nothing to divide", () => {
    expect(render({ options: [GITHUB] })).not.toContain('class="or"');
    expect(render({ options: [CREDENTIALS] })).not.toContain('class="or"');
  });

  it("posts every form with the csrf token and the callback URL", () => {
    const html = render();
    expect(count(html, '<form method="post" action="/auth/')).toBe(2);
    expect(count(html, '<input type="hidden" name="csrfToken" value="t0ken">')).toBe(2);
    expect(count(html, '<input type="hidden" name="callbackUrl" value="/next">')).toBe(2);
    expect(render({ csrfToken: null })).not.toContain("csrfToken");
  });

  it("names the provider on the buttons of several forms and gives their fields different ids", () => {
    const html = render({ options: [CREDENTIALS, { ...CREDENTIALS, name: "Guests" }] });
    expect(html).toContain(">Sign in with Staff</button>");
    expect(html).toContain(">Sign in with Guests</button>");
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(4);
  });

  it("shows a provider's logo from here or from data, and no other", () => {
    const withLogo = (logo: string): string => render({ options: [{ ...GITHUB, style: { logo } }] });
    expect(withLogo("/github.svg")).toContain('<img src="/github.svg" alt="">');
    expect(withLogo("https://evil.example/x.svg")).not.toContain("<img");
  });

  it("shows the first letter of a provider without a logo, hidden from assistive technology", () => {
    const others = ["b", "c", "d", "e", "f"].map((id) => ({ ...GITHUB, id }));
    const named = (name: string): string => render({ options: [{ ...GITHUB, name }, ...others] });
    expect(named("élan")).toContain('<span class="tile" aria-hidden="true">É</span>');
    expect(named("<b>")).toContain('<span class="tile" aria-hidden="true">B</span>');
    expect(named("𝒳yz")).toContain('aria-hidden="true">𝒳</span>');
    expect(count(named(" "), 'class="tile"')).toBe(5);
  });

  it("gives the buttons one neutral style from six providers on", () => {
    const options = (length: number) => Array.from({ length }, (_, index) => ({ ...GITHUB, id: `p${index}` }));
    expect(count(render({ options: options(5) }), 'class="button neutral')).toBe(0);
    expect(count(render({ options: options(6) }), 'class="button neutral')).toBe(6);
  });

  it("shows the application's name in place of the host where the theme has one", () => {
    const named = (brandName: string): string => render({}, { ...FRAME, theme: { brandName } });
    expect(named("Acme <Notes>")).toContain("<title>Sign in · Acme &#60;Notes&#62;</title>");
    expect(named("Acme <Notes>")).toContain("to continue to <bdi>Acme &#60;Notes&#62;</bdi>");
    expect(named("  ")).toContain("to continue to <bdi>app.example.com</bdi>");
  });

  it("says so where there is no way to sign in", () => {
    expect(render({ options: [] })).toContain(englishTexts.signIn.nothing);
  });

  it.each(Object.entries(englishTexts.signIn.errors))("spec 7 has a text for %s", (error, text) => {
    expect(render({ error })).toContain(`<p class="note" role="alert" id="error">${text}</p>`);
  });

  it.each(["", "<script>", "__proto__", "constructor", "toString", "a&b=c", "x".repeat(10_000)])(
    "H040 H293 shows the default text for an unknown error and none of the error itself",
    (error) => {
      expect(render({ error })).toBe(render({ error: "undefined" }));
      expect(render({ error })).toContain(englishTexts.signIn.unknownError);
    },
  );

  it("has no alert without an error", () => {
    expect(render()).not.toContain('role="alert"');
  });

  it("says in the form that credentials did not match, ties the fields to it and puts the cursor there", () => {
    const html = render({ error: "CredentialsSignin" });
    expect(html.indexOf('role="alert"')).toBeGreaterThan(html.indexOf('action="/auth/callback/credentials"'));
    expect(count(html, 'aria-describedby="error" aria-invalid="true"')).toBe(2);
    expect(html).toMatch(/name="username"[^>]* autofocus=""/);
    expect(count(html, 'autofocus=""')).toBe(1);
  });

  it("says it above all of several forms, since it may be about each", () => {
    const html = render({ options: [CREDENTIALS, CREDENTIALS], error: "CredentialsSignin" });
    expect(html.indexOf('role="alert"')).toBeLessThan(html.indexOf("<form"));
    expect(count(html, 'aria-describedby="error"')).toBe(4);
    expect(html).not.toContain('aria-invalid="true"');
  });
});
