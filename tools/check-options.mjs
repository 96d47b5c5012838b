// Checks that the guide documents every option: the tables of a page must contain every member that an application can set in a
// configuration, a provider or an adapter, and every environment variable that is read, but nothing else.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { runAsScript } from "./report-problems.mjs";
import { parseFile, walk } from "./source-files.mjs";

const model = "packages/core/src/model";

/** What each page must document: members of interfaces, each with its prefix. `only`: the page's tables contain nothing else. */
const pages = [
  {
    page: "docs/configuration.md",
    only: true,
    interfaces: [
      ["AuthConfig", ""],
      ["SessionOptions", "session."],
      ["JWTOptions", "jwt."],
      ["Callbacks", "callbacks."],
      ["EventCallbacks", "events."],
      ["PagesOptions", "pages."],
      ["CookiesOptions", "cookies."],
      ["LoggerInstance", "logger."],
      ["Theme", "theme."],
      ["Texts", "texts."],
    ],
    // Members of members without a named interface.
    also: ["experimental.enableWebAuthn"],
  },
  { page: "docs/configuration.md", interfaces: [["CookieAttributes", ""]] },
  { page: "docs/oauth.md", interfaces: [["OAuthProviderConfig", ""]], also: ["type"] },
  { page: "docs/email.md", interfaces: [["EmailProvider", ""]] },
  { page: "docs/credentials.md", interfaces: [["CredentialsProvider", ""]] },
  { page: "docs/passkeys.md", interfaces: [["WebAuthnOptions", "", "packages/providers-webauthn/src"]] },
  { page: "docs/writing-an-adapter.md", interfaces: [["Adapter", ""]] },
  {
    page: "docs/callbacks.md",
    interfaces: [
      ...parametersOf(["SignInCallbackParams", "SessionCallbackParams", "AttemptParams"]),
      ...parametersOf(["JWTAtSignIn", "JWTAfterSignIn"]),
    ],
  },
];

function parametersOf(callbacks) {
  return callbacks.map((name) => [name, ""]);
}

const environment = { page: "docs/environment.md", source: "packages/core/src/config/env.ts" };

/** Problems of the pages below `root`, as `docs/configuration.md:1 what is missing`. */
export function checkOptions(root) {
  return [...pages.flatMap((entry) => checkPage(root, entry)), ...checkEnvironment(root)];
}

function checkPage(root, { page, interfaces, also = [], only = false }) {
  const named = readNames(root, page);
  const members = [...interfaces.flatMap((one) => membersOf(root, ...one)), ...also];
  const missing = members.filter((member) => !named.all.has(member));
  const unknown = only ? named.options.filter((option) => !members.includes(option)) : [];
  return [
    ...missing.map((member) => `${page}:1 does not have \`${member}\``),
    ...unknown.map((option) => `${page}:1 has \`${option}\`, which is no option`),
  ];
}

/** Text in backticks: anywhere, and in the first column of tables headed `option`. Calls are reduced to their name. */
function readNames(root, page) {
  const text = existsSync(join(root, page)) ? readFileSync(join(root, page), "utf8") : "";
  const tables = [...text.matchAll(/^\| option \|.*\n\|[-| ]+\n((?:\|.*\n?)*)/gm)].map(([, rows]) => rows);
  const firstCells = tables.flatMap((rows) => rows.split("\n").map((row) => row.split("|")[1] ?? ""));
  return { all: new Set(codes(text)), options: firstCells.flatMap(codes) };
}

function codes(text) {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code.replace(/\(.*\)$/, ""));
}

function membersOf(root, name, prefix, folder = model) {
  const found = [];
  for (const file of readdirSync(join(root, folder)).filter((path) => path.endsWith(".ts"))) {
    walk(parseFile(root, `${folder}/${file}`).ast, (node) => {
      if (!ts.isInterfaceDeclaration(node) || node.name.text !== name) return;
      for (const member of node.members) if (member.name) found.push(`${prefix}${member.name.getText()}`);
    });
  }
  if (found.length === 0) throw new Error(`${folder} has no interface ${name}`);
  return found;
}

/** `env.NAME` in the sources; names that are concatenated there contain {ID} on the page. */
function checkEnvironment(root) {
  const { page, source } = environment;
  const text = readFileSync(join(root, source), "utf8");
  const plain = [...text.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name);
  const made = [...text.matchAll(/\$\{prefix\}(_[A-Z]+)/g)].map(([, end]) => `AUTH_{ID}${end}`);
  const { all } = readNames(root, page);
  const missing = [...new Set([...plain, ...made])].filter((name) => !all.has(name));
  return missing.map((name) => `${page}:1 does not have \`${name}\``);
}

await runAsScript(import.meta, checkOptions);
