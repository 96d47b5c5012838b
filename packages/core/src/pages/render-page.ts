import type { Page, PageFrame, RenderedPage } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { renderConfirmAccount } from "./confirm-account.ts";
import { renderError } from "./message.ts";
import { renderSignIn } from "./signin.ts";
import { renderSignOut } from "./signout.ts";

/**
 * Renders a complete HTML document. All data is escaped; there is no remote resource, one style element, and no inline script but
 * the page script, where `hasScript` is true; `default-src 'none'; style-src 'nonce-…'; img-src 'self' data:` is sufficient to show it.
 *
 * @param page what to show.
 * @param frame theme, host and nonce of this response.
 * @param texts in the language of the page.
 */
export function renderPage(page: Page, frame: PageFrame, texts: PageTexts): RenderedPage {
  switch (page.kind) {
    case "signin":
      return renderSignIn(page, frame, texts);
    case "signout":
      return renderSignOut(page, frame, texts);
    case "error":
      return renderError(page, frame, texts);
    case "confirm-account":
      return renderConfirmAccount(page, frame, texts);
    case "rendered":
      return page.render(frame, texts);
  }
}
