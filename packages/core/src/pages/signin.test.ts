import { describe, expect, it } from "vitest";
import type { Page, PageFrame, SignInOption } from "../model/result.ts";
import { type Html, html } from "./html.ts";
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
  fields: { username: {}, password: {} },
};

const DOOR: SignInOption = { ...CREDENTIALS, name: "Door", fields: { pin: {} } };

function render(change: Partial<Extract<Page, { kind: "signin" }>> = {}, frame: PageFrame = FRAME): string {
  const page = {
    kind: "signin",
    options: [CREDENTIALS, GITHUB],
    csrfToken: "t0ken",
    callbackUrl: "/next",
    error: null,
    action: "/auth/signin",
    identifier: null,
  } as const;
  return renderSignIn({ ...page, ...change }, frame, englishTexts).toString();
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
    const html = render({ options: [DOOR, { ...DOOR, name: "Guests" }] });
    expect(html).toContain(">Sign in with Door</button>");
    expect(html).toContain(">Sign in with Guests</button>");
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
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
    const page = render({ error, options: [DOOR, GITHUB, DOOR] });
    expect(page).toContain(`<p class="note" role="alert" id="error">${text}</p>`);
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

  it("says at the field that credentials did not match, and puts the cursor there", () => {
    const html = render({ error: "CredentialsSignin", identifier: { text: "bob", isEdited: false } });
    expect(html).toContain(
      `<p class="wrong" id="field-0-1-error" role="alert">${englishTexts.signIn.errors.CredentialsSignin}</p>`,
    );
    expect(html).toMatch(/name="password"[^>]* aria-describedby="field-0-1-error" aria-invalid="true" autofocus="">/);
    expect(count(html, "autofocus")).toBe(1);
    // What was typed is not typed again, but a password is.
    expect(html).toMatch(/name="username" type="text" value="bob"/);
    expect(html).not.toMatch(/name="password"[^>]* value=/);
  });

  it("says it above all of several forms, since it may be about each", () => {
    const html = render({ options: [DOOR, DOOR], error: "CredentialsSignin" });
    expect(html.indexOf('role="alert"')).toBeLessThan(html.indexOf("<form"));
    expect(count(html, 'aria-describedby="error"')).toBe(2);
    expect(html).not.toContain('aria-invalid="true"');
  });

  it("marks the provider that was used last, and can forget it", () => {
    const html = render({ lastMethod: "github" });
    expect(html).toContain('Sign in with GitHub <em class="badge">Last used</em>');
    expect(html).toMatch(/<form method="post" action="\/auth\/signin">[\s\S]*name="forgetMethod" value="1">/);
    expect(render()).not.toMatch(/class="badge"|forgetMethod/);
  });
});

describe("renderSignIn() with several methods", () => {
  const EMAIL: SignInOption = { kind: "email", id: "email", name: "E-mail", action: "/auth/signin/email" };
  const PASSWORD: SignInOption = {
    ...{ kind: "credentials", id: "password", name: "Password", action: "/auth/callback/password" },
    fields: { email: { label: "E-mail", type: "email" }, password: { type: "password" } },
  };
  const PIN: SignInOption = { ...DOOR, action: "/auth/callback/pin" };
  const SCRIPTED: SignInOption = {
    ...{ kind: "scripted", id: "passkey", name: "Passkey", options: "/o", action: "/auth/callback/passkey" },
    ...{ fields: { email: {} }, autofill: true, script: { url: "/s", integrity: "sha256-x" } },
    form: ({ step, fields, field }) =>
      html`<i>${step}</i>${Object.keys(fields).map((name) => field(name, {}, "h") as Html)}`,
  };
  const all = [PASSWORD, EMAIL, SCRIPTED, GITHUB];
  const typed = { text: "ann@example.com", isEdited: false };

  it("asks for the address alone first, then offers providers", () => {
    const html = render({ options: all });
    expect(html).toMatch(/action="\/auth\/signin">[\s\S]*<label for="field-identifier">E-mail address<\/label>/);
    expect(html).toMatch(/name="identifier" type="email" autocomplete="username webauthn"/);
    expect(count(html, 'class="button main"')).toBe(1);
    expect(html.indexOf('name="identifier"')).toBeLessThan(html.indexOf("Sign in with GitHub"));
    expect(html).not.toMatch(/name="(?:email|password)"/);
    expect(html).toContain("<i>address</i>");
  });

  it("asks for a user name as well where a method has one", () => {
    const html = render({ options: [CREDENTIALS, EMAIL] });
    expect(html).toContain(">E-mail address or user name</label>");
    expect(html).toMatch(/name="identifier" type="text" autocomplete="username"/);
  });

  it("then shows the methods for what was typed, of which one is the main one", () => {
    const html = render({ options: all, identifier: typed });
    expect(html).toContain('<div class="who"><bdi>ann@example.com</bdi>');
    expect(html).toMatch(
      /name="email" autocomplete="username" value="ann@example.com" readonly>[\s\S]*name="password"/,
    );
    expect(html).toMatch(/name="password"[^>]* autofocus=""/);
    expect(html).toMatch(/action="\/auth\/signin\/email">[\s\S]*name="email" [^>]*value="ann@example.com"/);
    expect(html).toContain('<i>method</i><input type="hidden" name="email" value="ann@example.com">');
    expect(count(html, 'class="button main"')).toBe(1);
    expect(html).not.toContain("Sign in with GitHub");
  });

  it("offers no e-mail to a user name", () => {
    const html = render({ options: [CREDENTIALS, EMAIL], identifier: { text: "bob", isEdited: false } });
    expect(html).toMatch(/name="username" autocomplete="username" value="bob" readonly/);
    expect(html).not.toContain("/auth/signin/email");
  });

  it("opens the fields of a second form on demand, or where its error is", () => {
    const identifier = typed;
    const options = [EMAIL, PASSWORD];
    expect(render({ options, identifier })).toContain(
      '<details class="confirm"><summary class="button">Sign in with Password',
    );
    expect(render({ options, identifier, error: "CredentialsSignin" })).toContain('<details class="confirm" open>');
  });

  it("shows what was typed again to be corrected, and where the address was refused", () => {
    const edited = render({ options: all, identifier: { ...typed, isEdited: true } });
    expect(edited).toMatch(/name="identifier" type="email" value="ann@example.com"/);
    const refused = render({ options: all, identifier: typed, error: "EmailSignin" });
    expect(refused).toMatch(/aria-describedby="field-identifier-error" aria-invalid="true"/);
    expect(refused).toContain(englishTexts.signIn.errors.EmailSignin);
  });

  it("ties a wrong password to its field in the second step", () => {
    const html = render({ options: all, identifier: typed, error: "CredentialsSignin" });
    expect(html).toMatch(/name="password"[^>]* aria-describedby="field-0-0-error" aria-invalid="true"/);
    expect(count(html, 'role="alert"')).toBe(1);
    const busy = render({ options: all, identifier: typed, error: "CredentialsSignin", code: "busy" });
    expect(busy).toContain(`role="alert" id="error">${englishTexts.signIn.codes.busy}`);
  });

  it("puts the method that was used last first", () => {
    const html = render({ options: all, identifier: typed, lastMethod: "email" });
    expect(html.indexOf("/auth/signin/email")).toBeLessThan(html.indexOf("/auth/callback/password"));
  });

  it("keeps the mark of `confirm-address`, and takes methods without an address along", () => {
    const html = render({ options: [...all, PIN], mark: "m4rk" });
    expect(html).toMatch(/action="\/auth\/signin">\n[^\n]*name="confirmAddress" value="m4rk"/);
    expect(html).toMatch(/<summary class="button">Sign in with Door<\/summary>[\s\S]*name="pin"/);
  });

  it("is one page with one method, whatever was typed", () => {
    const html = render({ options: [PASSWORD, GITHUB], identifier: typed });
    expect(html).not.toContain("identifier");
    expect(html).toMatch(/name="email" type="email" value="ann@example.com"/);
  });

  it("H293 stays whole with long and hostile texts", () => {
    const text = `"><script>x</script>${"\u202e"}${"x".repeat(300)}`;
    const html = render({ options: all, identifier: { text, isEdited: false } });
    expect(html).not.toContain("<script>x");
    expect(html).toContain("<bdi>&#34;&#62;&#60;script");
  });
});
