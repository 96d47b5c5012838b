// Generates packages/providers-webauthn/src/page/passkey-script*.ts: the served script of the sign-in page, and its hash.
//
//   node tools/passkey-script.mjs            fails if a file is out of date
//   node tools/passkey-script.mjs --write    writes the files
//
// The source is passkey-page.js in the same folder. The script is a string constant, because some runtimes cannot read files and an
// application's bundler must not change it: its hash is in the Content-Security-Policy (decisions/013).
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { transform } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

const source = "packages/providers-webauthn/src/page/passkey-page.js";
const targets = {
  "packages/providers-webauthn/src/page/passkey-script.ts": scriptModule,
  // In a separate file, because the page needs only the hash; the script is loaded on demand.
  "packages/providers-webauthn/src/page/passkey-script-hash.ts": hashModule,
};

/** Problems of the tree below `root`: a script that is not made from its source. */
export async function checkPasskeyScript(root) {
  const script = await makeScript(root);
  const outdated = Object.keys(targets).filter((target) => {
    const current = existsSync(join(root, target)) ? readFileSync(join(root, target), "utf8") : "";
    return current !== targets[target](script);
  });
  return outdated.map((target) => `${target}:1 is out of date: node tools/passkey-script.mjs --write`);
}

/** Writes the modules. */
export async function writePasskeyScript(root) {
  const script = await makeScript(root);
  for (const [target, moduleOf] of Object.entries(targets)) writeFileSync(join(root, target), moduleOf(script));
  return [];
}

async function makeScript(root) {
  const { code } = await transform(readFileSync(join(root, source), "utf8"), {
    minify: true,
    target: "es2020",
    // ASCII only, so that the bytes are the same in any encoding that a server or proxy assumes.
    charset: "ascii",
    legalComments: "none",
  });
  return code.trim();
}

function scriptModule(script) {
  return `// Made from passkey-page.js by tools/passkey-script.mjs.

/** The script of the sign-in page that uses passkeys. ASCII only. */
export const PASSKEY_SCRIPT: string =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the script itself
  ${quote(script)};
`;
}

function hashModule(script) {
  return `// Made from passkey-page.js by tools/passkey-script.mjs.

/** The hash of the script, as \`integrity\` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-${createHash("sha256").update(script).digest("base64")}";
`;
}

/** A string literal as the formatter would write it: in the quotes that need fewer escapes. */
function quote(text) {
  const doubled = JSON.stringify(text);
  const single = `'${doubled.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  return single.length < doubled.length ? single : doubled;
}

await runAsScript(import.meta, argv.includes("--write") ? writePasskeyScript : checkPasskeyScript);
