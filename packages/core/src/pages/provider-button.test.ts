import { describe, expect, it } from "vitest";
import { html } from "./html.ts";
import { renderInitialStyles, renderProviderButton } from "./provider-button.ts";

const page = { csrfToken: "t0ken", callbackUrl: "/next" };
const option = { kind: "redirect", id: "github", name: "GitHub", action: "/auth/signin/github", style: {} } as const;

function render(change: Partial<typeof option> & { readonly style?: object } = {}): string {
  const frame = { theme: {}, host: "app.example.com", nonce: "n" };
  return renderProviderButton({ ...option, ...change }, { page, frame, label: html`Sign in`, index: 3 }).toString();
}

describe("renderProviderButton()", () => {
  it("shows a logo from here or from data, and no other", () => {
    expect(render({ style: { logo: "/github.svg" } })).toContain('<img src="/github.svg" alt=""><span>Sign in</span>');
    expect(render({ style: { logo: "https://evil.example/x.svg" } })).not.toContain("<img");
  });

  it("shows the initial of a provider without a logo, which is not part of its text", () => {
    const initial = (name: string) =>
      /class="tile p3" data-initial="([^"]*)"><\/span>/.exec(render({ name: name as never }))?.[1];
    expect(["élan", "<b>", "𝒳yz", "42", "日本", " "].map(initial)).toEqual(["É", "B", "𝒳", "4", "日", undefined]);
  });
});

describe("renderInitialStyles()", () => {
  const styles = (style: object) => renderInitialStyles([option, { ...option, style }]);

  it("takes bg before brandColor, and the text colour that can be read", () => {
    expect(styles({ bg: "#24292f", brandColor: "#f00", text: "#fff" })).toBe(".p1{--face:#24292f;--text:#ffffff}");
    expect(styles({ brandColor: "#ff0", text: "#fff" })).toBe(".p1{--face:#ffff00;--text:#000000}");
  });

  it("H294 writes nothing but valid colours", () => {
    for (const bg of ["x}</style>", "url(x)", "hotpink", "", undefined]) expect(styles({ bg })).toBe("");
  });
});
