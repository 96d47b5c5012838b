import { type Html, html } from "./html.ts";

/** JSON as people like to read it, in colours. */
export function renderJson(value: unknown, indent = ""): Html {
  if (typeof value === "string") return html`<span class="string">${JSON.stringify(value)}</span>`;
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
