import type { LoadedEmailCodes } from "@cardea/core/providers";
import { components, html, type Texts } from "@cardea/extend";
import { CODE_LENGTH } from "./code.ts";

/** The English texts of the form. */
const englishTexts: Texts["verifyRequest"]["code"] = {
  text: "If that address can be used to sign in to {host}, we’ve sent it a link and a code. Open the link, or enter the code here.",
  sent: "If {email} can be used to sign in to {host}, we’ve sent a link and a code to it. Open the link, or enter the code here.",
  label: "Code from the e-mail",
  hint: "Enter the code only on this page, and only if you requested it here. Don’t share it with anyone.",
  submit: "Sign in",
  wrong:
    "That code is incorrect or no longer valid. Check it, open the link in the e-mail instead, or request a new e-mail.",
};

/** Room for digits that are typed or pasted in groups. */
const MAX_LENGTH = 2 * CODE_LENGTH;

/**
 * The field for the code: browsers offer a code that a mail program has received (HTML §4.10.18.7), and it works without a script. The
 * message is the same for every code that is not accepted.
 */
export const renderCodeForm: LoadedEmailCodes["form"] = (own, isWrong) => {
  const { text, sent, label, hint, submit, wrong } = { ...englishTexts, ...own };
  const attributes = { ...components.CODE_ATTRIBUTES, maxlength: String(MAX_LENGTH), autofocus: "" };
  const error = isWrong ? wrong : null;
  const input = components.field({ name: "code", id: "code", label, hint, error, attributes });
  return { text, sent, content: html`${input}${components.button({ label: submit, kind: "main" })}` };
};
