import { describe, expect, it } from "vitest";
import { decodeEntities, parseForms } from "./html-form.ts";

describe("parseForms()", () => {
  it("reads action, method, fields and buttons", () => {
    const [form] = parseForms(`
      <!-- <form action="/commented"></form> -->
      <script>document.write('<form action="/scripted">')</script>
      <form action="/auth/signin/op?a=1&amp;b=2" method=post>
        <input type="hidden" name="csrfToken" value="a&quot;b">
        <input name=plain value=x><input name='single' value='y>z'>
        <input type="checkbox" name="off"><input type=checkbox name=on checked>
        <input name="gone" value="1" disabled>
        <select name="pick"><option value="1">One<option value="2" selected>Two</select>
        <textarea name="note">
&lt;hi&gt;</textarea>
        <button type="button" name="no" value="no">Nothing</button>
        <button name="how" value="go" aria-label="unused"><span>Sign in</span> with Example</button>
        <input type="submit" value="Cancel" name="cancel" formaction="/cancel" formmethod="get">
      </form>`);
    expect(form).toEqual({
      action: "/auth/signin/op?a=1&b=2",
      method: "POST",
      enctype: "application/x-www-form-urlencoded",
      fields: [
        ["csrfToken", 'a"b'],
        ["plain", "x"],
        ["single", "y>z"],
        ["on", "on"],
        ["pick", "2"],
        ["note", "<hi>"],
      ],
      buttons: [
        { name: "how", value: "go", text: "Sign in with Example" },
        { name: "cancel", value: "Cancel", text: "Cancel", action: "/cancel", method: "GET" },
      ],
    });
  });

  it("keeps forms apart and counts outside controls by their form attribute", () => {
    const forms = parseForms(
      `<form id=a><input name=x></form><form id=b></form><input form=b name=y><button form=a>Go</button>`,
    );
    expect(forms.map(({ fields, buttons }) => [fields, buttons.length])).toEqual([
      [[["x", ""]], 1],
      [[["y", ""]], 0],
    ]);
  });

  it("finds nothing in a page without forms", () => {
    expect(parseForms("<p>Hello")).toEqual([]);
  });
});

describe("decodeEntities()", () => {
  it("decodes names and numbers, and leaves the rest", () => {
    expect(decodeEntities("&lt;&#39;&#x27;&amp;amp;&unknown; & &#0;")).toBe("<''&amp;&unknown; & &#0;");
  });
});
