// Checks that the guide documents every option: a page must contain every member that an application can set in a configuration, a
// provider or an adapter, and every environment variable that is read. The members come from the API reports (check-api.mjs).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runAsScript } from "./report-problems.mjs";

/** The interfaces whose members a page must contain, with the prefix of the members. */
const pages = {
  "docs/configuration.md": {
    ...{ AuthConfig: "", SessionOptions: "session.", JWTOptions: "jwt.", Callbacks: "callbacks.", Theme: "theme." },
    ...{ EventCallbacks: "events.", PagesOptions: "pages.", CookiesOptions: "cookies.", LoggerInstance: "logger." },
    ...{ Texts: "texts.", CookieAttributes: "" },
  },
  "docs/oauth.md": { OAuthProviderConfig: "" },
  "docs/email.md": { EmailProvider: "" },
  "docs/credentials.md": { CredentialsProvider: "" },
  "docs/passkeys.md": { WebAuthnOptions: "" },
  "docs/writing-an-adapter.md": { Adapter: "" },
  "docs/callbacks.md": {
    ...{ SignInCallbackParams: "", SessionCallbackParams: "", AttemptParams: "", JWTAtSignIn: "", JWTAfterSignIn: "" },
  },
};

/** Its tables of options contain nothing else. */
const complete = "docs/configuration.md";

function checkOptions(root) {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const reports = read("packages/core/api/index.api.md") + read("packages/providers-webauthn/api/index.api.md");
  const wanted = Object.entries(pages).map(([page, interfaces]) => {
    const members = Object.entries(interfaces).flatMap(([name, prefix]) => membersOf(reports, name, prefix));
    return [page, members];
  });
  // A member of a member without a named interface, and one of the union of OAuth providers.
  wanted.push([complete, ["experimental.enableWebAuthn"]], ["docs/oauth.md", ["type"]]);
  wanted.push(["docs/environment.md", variablesOf(read("packages/core/src/config/env.ts"))]);
  const missing = wanted.flatMap(([page, names]) => {
    const found = codes(read(page));
    return names.filter((name) => !found.includes(name)).map((name) => `${page}:1 does not have \`${name}\``);
  });
  const known = wanted.flatMap(([page, names]) => (page === complete ? names : []));
  const unknown = optionsOf(read(complete)).filter((option) => !known.includes(option));
  return [...missing, ...unknown.map((option) => `${complete}:1 has \`${option}\`, which is no option`)];
}

/** The members of an interface in an API report. */
function membersOf(reports, name, prefix) {
  const [, body] = new RegExp(`^(?:export )?interface ${name}\\b.* \\{\\n([\\s\\S]*?)^\\}`, "m").exec(reports) ?? [];
  if (body === undefined) throw new Error(`The API reports have no interface ${name}`);
  return [...body.matchAll(/^ {4}(?:readonly )?(\w+|\[\w+\])[?(:<]/gm)].map(([, member]) => prefix + member);
}

/** Text in backticks. Calls are reduced to their name. */
function codes(text) {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code.replace(/\(.*\)$/, ""));
}

/** What the first columns of the tables headed `option` contain. */
function optionsOf(text) {
  const tables = [...text.matchAll(/^\| option \|.*\n\|[-| ]+\n((?:\|.*\n?)*)/gm)].map(([, rows]) => rows);
  return tables.flatMap((rows) => rows.split("\n").flatMap((row) => codes(row.split("|")[1] ?? "")));
}

/** `env.NAME` in a source; names that are concatenated there contain {ID} on the page. */
function variablesOf(source) {
  const plain = [...source.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name);
  const made = [...source.matchAll(/\$\{prefix\}(_[A-Z]+)/g)].map(([, end]) => `AUTH_{ID}${end}`);
  return [...new Set([...plain, ...made])];
}

await runAsScript(import.meta, checkOptions);
