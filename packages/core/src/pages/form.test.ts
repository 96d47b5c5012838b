import { describe, expect, it } from "vitest";
import { renderForm } from "./form.ts";
import { html } from "./html.ts";

describe("renderForm()", () => {
  it("posts the csrf token and the callback URL before everything else", () => {
    const form = renderForm({ action: "/a?b&c", csrfToken: "t", callbackUrl: "/x" }, html`<b></b>`).toString();
    expect(form).toBe(`<form method="post" action="/a?b&#38;c">
<input type="hidden" name="csrfToken" value="t"><input type="hidden" name="callbackUrl" value="/x">
<b></b>
</form>
`);
  });

  it("leaves the csrf token out where protection is off", () => {
    expect(renderForm({ action: "/", csrfToken: null, callbackUrl: "/" }, html``).toString()).not.toContain(
      "csrfToken",
    );
  });
});
