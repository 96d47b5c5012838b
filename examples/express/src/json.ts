import { type Html, html } from "./html.ts";

/** Longer strings are cut: a picture within the session is no pleasure to read. */
const LONGEST = 80;

/** JSON as people like to read it, in colours. */
export function renderJson(value: unknown, indent = ""): Html {
  if (typeof value === "string") return renderString(value);
  if (typeof value !== "object" || value === null)
    return html`<span class="word">${JSON.stringify(value) ?? "null"}</span>`;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const lines = entries.map(([key, item], index) => {
    const name = Array.isArray(value) ? null : html`<span class="key">${JSON.stringify(key)}</span>: `;
    return html`${deeper}${name}${renderJson(item, deeper)}${index < entries.length - 1 && ","}\n`;
  });
  return lines.length === 0 ? html`${open}${close}` : html`${open}\n${lines}${indent}${close}`;
}

function renderString(text: string): Html {
  const rest = text.length - LONGEST;
  if (rest <= 0) return html`<span class="string">${JSON.stringify(text)}</span>`;
  return html`<span class="string">${JSON.stringify(text.slice(0, LONGEST))}</span> <span class="cut">and ${rest} characters more</span>`;
}
