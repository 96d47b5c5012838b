// Generates packages/providers-webauthn/src/page/passkey-script*.ts: the served script of the sign-in page, and its hash.
//
//   node tools/passkey-script.mjs            fails if a file is out of date
//   node tools/passkey-script.mjs --write    writes the files
//
// The source is passkey-page.js in the same folder. The script is a string constant, because some runtimes cannot read files and an
// application's bundler must not change it: its hash is in the Content-Security-Policy.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

const folder = "packages/providers-webauthn/src/page";

async function makePasskeyScript(root) {
  const { code } = await transform(readFileSync(join(root, folder, "passkey-page.js"), "utf8"), {
    minify: true,
    target: "es2020",
    // ASCII only, so that the bytes are the same in any encoding that a server or proxy assumes.
    charset: "ascii",
    legalComments: "none",
  });
  const script = code.trim();
  const hash = createHash("sha256").update(script).digest("base64");
  const scriptModule = `/** The script of the sign-in page that uses passkeys. ASCII only. */
export const PASSKEY_SCRIPT: string = ${JSON.stringify(script)};`;
  // In a separate file, because the page needs only the hash; the script is loaded on demand.
  const hashModule = `/** The hash of the script, as \`integrity\` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-${hash}";`;
  const made = (text) => `// Made from passkey-page.js by tools/passkey-script.mjs.\n\n${text}\n`;
  const modules = { "passkey-script.ts": made(scriptModule), "passkey-script-hash.ts": made(hashModule) };
  const texts = Object.fromEntries(Object.entries(modules).map(([name, text]) => [`${folder}/${name}`, text]));
  return { problems: [], texts };
}

await runAsScript(import.meta, makePasskeyScript);
