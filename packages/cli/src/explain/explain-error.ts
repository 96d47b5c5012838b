/** The documentation of an error or a warning. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
}

/**
 * Finds an error or a warning in docs/errors.md and docs/warnings.md:
 *
 * 1. By its type or code, in any case: `AccessDenied`, `missing-secret`. A whole line of the log works too.
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
  const wanted = codeOf(code).toLowerCase();
  const exact = sections.filter(({ title }) => title.toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  const rows = document
    .split("\n")
    .filter((line) => line.startsWith("| [") && new RegExp(`error=${escaped(wanted)}\\b`, "i").test(line));
  const titles = rows.flatMap((row) => /^\| \[(\w+)\]/.exec(row)?.[1] ?? []);
  return sections.filter(({ title }) => titles.includes(title));
}

/** The code of a log line, as in `[cardea][warn] missing-secret: …`. */
function codeOf(line: string): string {
  return /^(?:\[[\w-]+\])*\s*([\w-]+)/.exec(line.trim())?.[1] ?? line.trim();
}

/** Error types and codes of warnings with a similar spelling. */
export function similarErrors(document: string, code: string): readonly string[] {
  const titles = [...document.matchAll(/^## ([\w-]+)$/gm)].flatMap(([, title]) => title ?? []);
  const wanted = codeOf(code).toLowerCase();
  return titles
    .filter((title) => title.toLowerCase().includes(wanted.slice(0, 5)) || wanted.includes(title.toLowerCase()))
    .toSorted((a, b) => commonStart(b.toLowerCase(), wanted) - commonStart(a.toLowerCase(), wanted))
    .slice(0, 5);
}

function commonStart(a: string, b: string): number {
  const end = [...a].findIndex((letter, index) => letter !== b[index]);
  return end === -1 ? a.length : end;
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
