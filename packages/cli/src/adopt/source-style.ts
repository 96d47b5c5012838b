/** The code style of a file, for inserted text. */
export interface SourceStyle {
  readonly quote: '"' | "'";
  readonly semicolon: ";" | "";
  readonly eol: "\n" | "\r\n";
  readonly indent: string;
}

/** Detects the style of a file: quotes and semicolons from the first import, line ends from the first line break. */
export function styleOf(text: string): SourceStyle {
  const statement = /^(?:import|export)\b[^\n]*?(["'])[^"'\n]+["'][ \t]*(;?)/m.exec(text);
  const required = /\brequire\((["'])[^"'\n]+["']\)[^\n;]*(;?)/.exec(text);
  const [, quote = /"/.test(text) || !/'/.test(text) ? '"' : "'", semicolon = endsInSemicolons(text)] =
    statement ?? required ?? [];
  return {
    quote: quote === "'" ? "'" : '"',
    semicolon: semicolon === ";" ? ";" : "",
    eol: eolOf(text),
    indent:
      /^([ \t]+)\S/m.exec(text)?.[1]?.replace(/^ {3,}.*/, (blanks) => (blanks.length % 4 === 0 ? "    " : "  ")) ??
      "  ",
  };
}

/** For a file without imports: whether its statements end in semicolons. */
function endsInSemicolons(text: string): string {
  return /;[ \t]*$/m.test(text) || !/^\s*(?:return|const|let)\b.*[\w)\]]$/m.test(text) ? ";" : "";
}

/** The line ends of a text. */
export function eolOf(text: string): "\n" | "\r\n" {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** Converts a text written with `"`, `;` and `\n` to the style of a file. */
export function inStyle(text: string, { quote, semicolon, eol }: SourceStyle): string {
  const quoted = quote === "'" ? text.replace(/"([^"'\n]*)"/g, "'$1'") : text;
  const ended = semicolon === "" ? quoted.replace(/;$/gm, "") : quoted;
  return ended.replace(/\r?\n/g, eol);
}

/** Expands a range to whole lines, unless other text shares a line with it. */
export function wholeLines(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let start = from;
  while (start > 0 && (text[start - 1] === " " || text[start - 1] === "\t")) start -= 1;
  let end = to;
  while (text[end] === " " || text[end] === "\t" || text[end] === ";") end += 1;
  const begins = start === 0 || text[start - 1] === "\n";
  const lineEnd = /^\r?\n/.exec(text.slice(end, end + 2))?.[0].length;
  if (!begins || (lineEnd === undefined && end < text.length)) return { start: from, end: to };
  return { start, end: end + (lineEnd ?? 0) };
}
