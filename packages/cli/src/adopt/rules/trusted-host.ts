import { type SourceFile, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";

/** What says which host is trusted, or that an unset `NODE_ENV` is no question. */
const SETTING = /\b(?:AUTH_URL|NEXTAUTH_URL|AUTH_TRUST_HOST)\b|\bNODE_ENV\b["']?(?:\s*[:=]\s*|\s+)["']?production\b/;

/** A server of the application's own that starts Next.js. */
const OWN_SERVER = /\bimport\s+(?!type\b)\w+\s+from\s+["']next["']|\brequire\(\s*["']next["']\s*\)/;

/** Files that say which variables a deployment sets. */
const EXAMPLE = /(?:^|\/)\.env\.(?:example|sample|template|dist)$/;

const LINE = "AUTH_URL=https://app.example.com";
const COMMENTED = `# The public URL. Without it, and without NODE_ENV=development, only requests to localhost are answered.\n# ${LINE}\n`;

/**
 * The host that is trusted: Auth.js trusted every one where `NODE_ENV` is unset. Where nothing of the application says which one, the line
 * to set is written, as a comment, to the files that name its variables, and reported. The commands of Next.js always set `NODE_ENV`.
 */
export function nameTrustedHost(application: Application): Draft {
  const draft = new Draft();
  const { texts, project, framework } = application;
  const sources = project.getSourceFiles().map((file) => file.getFullText());
  const isSet = [...texts].some(([path, text]) => !/\.mdx?$/.test(path) && SETTING.test(withoutComments(text)));
  const isInCode = project.getSourceFiles().some(setsTrustHost);
  const isStartedByNext = framework === "next" && !sources.some((text) => OWN_SERVER.test(text));
  if (isSet || isInCode || isStartedByNext) return draft;
  const examples = [...texts].filter(([path]) => EXAMPLE.test(path));
  for (const [path, text] of examples) {
    if (text.includes(`# ${LINE}`)) continue;
    const before = text === "" || text.endsWith("\n") ? "" : "\n";
    draft.editText(path, text.length, text.length, `${before}${COMMENTED}`);
    draft.note("changed", path, "`AUTH_URL` is named");
  }
  draft.note(
    "look",
    examples[0]?.[0] ?? "/package.json",
    "nothing says which host is trusted",
    `set \`${LINE}\`, with your public URL, in each deployment, and \`NODE_ENV=development\` on a developer's machine: an unset \`NODE_ENV\` is no longer development, so that only requests to localhost are answered (docs/from-authjs.md#node-env-unset)`,
  );
  return draft;
}

/** A text without what follows `#` or `//` at the start of a line or behind a blank, which sets nothing. */
function withoutComments(text: string): string {
  return text.replace(/(^|\s)(?:#|\/\/).*$/gm, "$1");
}

/** Whether a file has `trustHost` as a name, or as a member in quotes. */
function setsTrustHost(file: SourceFile): boolean {
  if (!file.getFullText().includes("trustHost")) return false;
  return (
    file.getDescendantsOfKind(SyntaxKind.Identifier).some((node) => node.getText() === "trustHost") ||
    file.getDescendantsOfKind(SyntaxKind.StringLiteral).some((node) => node.getLiteralText() === "trustHost")
  );
}
