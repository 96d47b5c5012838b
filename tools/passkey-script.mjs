// packages/core/src/pages/passkey-script.ts: the script of the sign-in page as it is served, and its hash.
//
//   node tools/passkey-script.mjs            fails when the file is out of date
//   node tools/passkey-script.mjs --write    writes it
//
// Made from passkey-page.js beside it. It is a text in core's sources, because core has no files to read on every runtime, and
// a text that no bundler of an application changes, because its hash is in the Content-Security-Policy (decisions/013).
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { transform } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

const source = "packages/core/src/pages/passkey-page.js";
const target = "packages/core/src/pages/passkey-script.ts";

/** Problems of the tree below `root`: a script that is not made from its source. */
export async function checkPasskeyScript(root) {
  const current = existsSync(join(root, target)) ? readFileSync(join(root, target), "utf8") : "";
  if (current === (await makeModule(root))) return [];
  return [`${target}:1 is out of date: node tools/passkey-script.mjs --write`];
}

/** Writes the module. */
export async function writePasskeyScript(root) {
  writeFileSync(join(root, target), await makeModule(root));
  return [];
}

async function makeModule(root) {
  const { code } = await transform(readFileSync(join(root, source), "utf8"), {
    minify: true,
    target: "es2020",
    // The same bytes whatever a server or a proxy takes for the encoding.
    charset: "ascii",
    legalComments: "none",
  });
  const script = code.trim();
  const hash = createHash("sha256").update(script).digest("base64");
  return `// Made from passkey-page.js by tools/passkey-script.mjs.

/** The script of the sign-in page that uses passkeys. ASCII only. */
export const PASSKEY_SCRIPT: string =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the script itself
  ${quote(script)};

/** Its hash, as \`integrity\` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-${hash}";
`;
}

/** A text as the formatter would write it: in the quotes that need fewer escapes. */
function quote(text) {
  const doubled = JSON.stringify(text);
  const single = `'${doubled.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  return single.length < doubled.length ? single : doubled;
}

await runAsScript(import.meta, argv.includes("--write") ? writePasskeyScript : checkPasskeyScript);
