import { describe, expect, it } from "vitest";
import type { CredentialInput } from "../model/provider.ts";
import { renderCredentialField } from "./credential-field.ts";

function field(name: string, input: CredentialInput, passkeys = false): string {
  const place = { id: "f", describedBy: null, passkeys };
  return renderCredentialField({ name, input, ...place }).toString();
}

describe("renderCredentialField()", () => {
  it("labels the field, with its name by default", () => {
    expect(field("code", { label: "Code" })).toContain(
      '<label for="f">Code</label>\n<input id="f" name="code" type="text">',
    );
    expect(field("code", {})).toContain('<label for="f">code</label>');
    expect(field("code", { label: " " })).toContain('<label for="f">code</label>');
  });

  it.each(["password", "Password", " PASSWORD "])("ASVS 6.2.6 masks a field of the type %j", (type) => {
    expect(field("secret", { type })).toContain('type="password"');
  });

  it.each(["password", "currentPassword", "passphrase"])("ASVS 6.2.6 masks a field named %s without a type", (name) => {
    expect(field(name, {})).toContain('type="password"');
    expect(field(name, { type: "text" })).toContain('type="text"');
  });

  it("ASVS 6.2.7 tells password managers what belongs where", () => {
    expect(field("pin", { type: "password" })).toContain('autocomplete="current-password"');
    for (const name of ["username", "user_name", "email", "login"]) {
      expect(field(name, {})).toContain('autocomplete="username" autocapitalize="none" spellcheck="false"');
    }
    expect(field("x", { type: "email" })).toContain('autocomplete="username"');
    expect(field("code", {})).not.toContain("autocomplete");
  });

  it("lets the application choose another autocomplete", () => {
    const html = field("password", { autocomplete: "one-time-code" });
    expect(html).toContain('autocomplete="one-time-code"');
    expect(html).not.toContain("current-password");
  });

  it("lets browsers offer passkeys where a user name goes, and nowhere else", () => {
    expect(field("username", {}, true)).toContain('autocomplete="username webauthn"');
    expect(field("pin", { type: "password" }, true)).toContain('autocomplete="current-password"');
    expect(field("username", { autocomplete: "off" }, true)).toContain('autocomplete="off"');
    expect(field("email", { autocomplete: "username webauthn" })).toContain('autocomplete="username webauthn"');
  });

  it.each(["hidden", "file", "submit", "image", "checkbox", 'text" onfocus="x', "", 7, null])(
    "makes the type %j text",
    (type) => {
      expect(field("x", JSON.parse(JSON.stringify({ type })))).toContain('type="text"');
    },
  );

  it("passes the attributes on that it knows, whatever their case", () => {
    const html = field("x", {
      placeholder: "p",
      pattern: "[a-z]+",
      minLength: 2,
      maxlength: "9",
      inputMode: "numeric",
      required: true,
    });
    expect(html).toContain(
      ' placeholder="p" pattern="[a-z]+" minlength="2" maxlength="9" inputmode="numeric" required=""',
    );
  });

  it("H293 drops every other attribute, handlers and values among them", () => {
    const input = {
      onfocus: "x",
      style: "x",
      value: "x",
      formaction: "x",
      __proto__: "x",
      constructor: "x",
      "a><b": "x",
    };
    expect(field("x", input)).toBe(field("x", {}));
  });

  it("drops known attributes with values that make no sense", () => {
    const json = '{"placeholder":7,"minlength":"a","maxlength":-1,"required":false,"autofocus":"no","pattern":""}';
    expect(field("x", JSON.parse(json))).toBe(field("x", {}));
  });

  it("is tied to the error that is about it", () => {
    const html = renderCredentialField({
      name: "x",
      input: {},
      id: "f",
      describedBy: "e",
      error: "Wrong",
      focus: true,
      passkeys: false,
    }).toString();
    expect(html).toContain(' autofocus="" aria-describedby="e f-error" aria-invalid="true">');
  });
});
