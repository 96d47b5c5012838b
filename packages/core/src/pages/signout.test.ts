import { describe, expect, it } from "vitest";
import type { Page, PageFrame } from "../model/result.ts";
import { renderSignOut } from "./signout.ts";
import { englishTexts } from "./texts.ts";

const FRAME: PageFrame = { theme: {}, host: "app.example.com", nonce: "n0nce" };

function render(change: Partial<Extract<Page, { kind: "signout" }>> = {}): string {
  const page = {
    kind: "signout",
    action: "/auth/signout",
    csrfToken: "t0ken",
    callbackUrl: "/back",
    stale: false,
  } as const;
  return renderSignOut({ ...page, ...change }, FRAME, englishTexts).toString();
}

describe("renderSignOut()", () => {
  it("asks, names the host, and signs out by POST alone", () => {
    const html = render();
    expect(html).toContain("<title>Sign out? · app.example.com</title>");
    expect(html).toContain("<bdi>app.example.com</bdi>");
    expect(html).toContain(
      '<form method="post" action="/auth/signout">\n<input type="hidden" name="csrfToken" value="t0ken">',
    );
    expect(html.match(/<button/g)).toHaveLength(1);
  });

  it("offers the way back", () => {
    expect(render()).toContain('<a class="button" href="/back">Cancel</a>');
    expect(render({ callbackUrl: "javascript:alert(1)" })).toContain('<a class="button" href="/">Cancel</a>');
  });

  it("explains why it asks again, where an earlier try came too late", () => {
    expect(render({ stale: true })).toContain(`role="status">${englishTexts.signOut.stale}`);
    expect(render()).not.toContain('role="status"');
  });
});
