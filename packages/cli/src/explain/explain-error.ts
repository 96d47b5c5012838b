/** The documentation of an error. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
}

/**
 * Finds an error in docs/errors.md:
 *
 * 1. By its type, in any case: `AccessDenied`.
 * 2. By the value of the query parameter `error`, such as `OAuthSignin`, which several errors may share.
 */
export function explainError(document: string, code: string): readonly Explanation[] {
  const sections = document
    .split(/^## /m)
    .slice(1)
    .map((section): Explanation => {
      const [title = "", ...lines] = section.split("\n");
      return { title: title.trim(), text: plain(lines.join("\n")) };
    });
  const wanted = code.trim().toLowerCase();
  const exact = sections.filter(({ title }) => title.toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const rows = document
    .split("\n")
    .filter((line) => line.startsWith("| [") && new RegExp(`error=${escaped(wanted)}\\b`, "i").test(line));
  const titles = rows.flatMap((row) => /^\| \[(\w+)\]/.exec(row)?.[1] ?? []);
  return sections.filter(({ title }) => titles.includes(title));
}

/** Error types with a similar spelling. */
export function similarErrors(document: string, code: string): readonly string[] {
  const titles = [...document.matchAll(/^## (\w+)$/gm)].flatMap(([, title]) => title ?? []);
  const wanted = code.toLowerCase();
  return titles
    .filter((title) => title.toLowerCase().includes(wanted.slice(0, 5)) || wanted.includes(title.toLowerCase()))
    .slice(0, 5);
}

function plain(markdown: string): string {
  return markdown
    .replace(/\*\*(.+?)\*\*/g, "$1")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .trim();
}

function escaped(text: string): string {
  return text.replace(/[^\w-]/g, "\\$&");
}
