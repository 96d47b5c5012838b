// Generates the scripts of the built-in pages, and their hashes, from JavaScript beside them.
//
//   node tools/page-scripts.mjs            fails if a file is out of date
//   node tools/page-scripts.mjs --write    writes the files
//
// A script is a string constant, because some runtimes cannot read files and an application's bundler must not change it: its hash is in
// the Content-Security-Policy.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { runAsScript } from "./report-problems.mjs";

const SCRIPTS = [
  {
    folder: "packages/core/src/pages",
    source: "enhance-page.js",
    name: "PAGE_SCRIPT",
    about: "The script of pages with a password field or a text to copy. ASCII only.",
    files: { script: "page-script.ts", hash: "page-script.ts" },
  },
  {
    folder: "packages/providers-webauthn/src/page",
    source: "passkey-page.js",
    name: "PASSKEY_SCRIPT",
    about: "The script of the sign-in page that uses passkeys. ASCII only.",
    // The page needs only the hash; the script is loaded on demand.
    files: { script: "passkey-script.ts", hash: "passkey-script-hash.ts" },
  },
];

async function makePageScripts(root) {
  const made = await Promise.all(SCRIPTS.map((script) => make(root, script)));
  return { problems: [], texts: Object.assign({}, ...made) };
}

async function make(root, { folder, source, name, about, files }) {
  const { code } = await transform(readFileSync(join(root, folder, source), "utf8"), {
    minify: true,
    target: "es2020",
    // ASCII only, so that the bytes are the same in any encoding that a server or proxy assumes.
    charset: "ascii",
    legalComments: "none",
  });
  const script = code.trim();
  const hash = createHash("sha256").update(script).digest("base64");
  const parts = [
    [files.script, `/** ${about} */\nexport const ${name}: string = ${JSON.stringify(script)};`],
    [
      files.hash,
      `/** The hash of the script, as \`integrity\` and a Content-Security-Policy name it (SRI §3.1). */\nexport const ${name}_HASH: string = "sha256-${hash}";`,
    ],
  ];
  const texts = {};
  for (const [file, text] of parts) {
    const path = `${folder}/${file}`;
    texts[path] = `${texts[path] ?? `// Made from ${source} by tools/page-scripts.mjs.\n`}\n${text}\n`;
  }
  return texts;
}

await runAsScript(import.meta, makePageScripts);
