import type { ActionContext } from "../model/context.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { AuthResult, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { button, form } from "../pages/components.ts";
import { type Html, html } from "../pages/html.ts";
import { brought, renderLayout, renderLead } from "../pages/layout.ts";
import type { EmailLink } from "../protocol/email-token.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { resolveCallbackUrl } from "../sign-in/redirect.ts";

/**
 * The page for a link that is opened in another browser or by a mail scanner. Nothing has been consumed yet: it has one button that signs
 * in, because mail scanners open links but do not press buttons (docs/behaviour.md#e-mail).
 */
export async function confirmEmail(
  context: ActionContext,
  { id }: ResolvedEmailProvider,
  link: EmailLink,
  status: 200 | 403,
): Promise<AuthResult> {
  const { token, email, context: own } = link;
  const hidden = {
    csrfToken: await csrfTokenForForm(context),
    ...{ callbackUrl: await resolveCallbackUrl(context), token, email, context: own },
  };
  return brought(renderConfirmEmail, { action: `${context.baseUrl}/callback/${id}`, hidden }, { status });
}

/** What the form sends. */
interface ConfirmationForm {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string | null | undefined>>;
}

export function renderConfirmEmail({ action, hidden }: ConfirmationForm, frame: PageFrame, texts: PageTexts): Html {
  const { title, text, submit } = texts.confirmEmail;
  const content = button({ label: submit, kind: "main" });
  const main = html`${renderLead(text, frame)}\n${form({ action, hidden, content })}`;
  return renderLayout({ title, main }, frame, texts);
}
