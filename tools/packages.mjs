// Generates what the packages have in common: the members of package.json that are the same everywhere or derived from others, the
// keywords, and the shared parts of provider READMEs. Version, description, exports, dependencies, and everything in a README that
// `frame` below does not match belong to the package itself.
//
//   node tools/packages.mjs            fails if a file differs
//   node tools/packages.mjs --write    writes the files
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { compareTexts, writeTexts } from "./committed-texts.mjs";
import { otherKeywords, providers } from "./package-table.mjs";
import { runAsScript } from "./report-problems.mjs";
import { packageNames, publicEntries, sourceByPaths } from "./source-files.mjs";

/** Problems of the packages below `root`. */
export function checkPackageTexts(root) {
  return [
    ...compareTexts(root, textsOf(root), "node tools/packages.mjs --write"),
    ...checkPaths(root),
    ...checkList(root),
  ];
}

function textsOf(root) {
  const texts = packageNames(root).flatMap((name) => {
    const [manifest, readme] = [`packages/${name}/package.json`, `packages/${name}/README.md`];
    const row = name.startsWith("providers-") ? providers[name.slice("providers-".length)] : undefined;
    return [
      [manifest, `${JSON.stringify(completeManifest(root, name, row), null, 2)}\n`],
      ...(row ? [[readme, frame(name, row, readFileSync(join(root, readme), "utf8"))]] : []),
    ];
  });
  return Object.fromEntries([...texts, ...listOf(root)]);
}

/** The line of the repository's README that lists the provider packages, by the name of the service. */
function listOf(root) {
  if (!existsSync(join(root, "README.md"))) return [];
  const text = readFileSync(join(root, "README.md"), "utf8");
  const services = Object.entries(providers).filter(([, provider]) => provider.oauth !== false);
  services.sort(([, a], [, b]) => a.service.localeCompare(b.service, "en"));
  const links = services.map(([name, { service }]) => `[${service}](packages/providers-${name}/README.md)`);
  const line = `| \`@cardea/providers-…\` | ${links.join(", ")} |`;
  return [["README.md", text.replace(/^\| `@cardea\/providers-…` \|.*$/m, () => line)]];
}

function completeManifest(root, name, row) {
  const { repository, bugs, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const directory = `packages/${name}`;
  const {
    name: specifier,
    version,
    description,
    keywords: _,
    exports,
    files,
    ...own
  } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"));
  if (!row && !otherKeywords[name]) throw new Error(`${directory} has no row in tools/package-table.mjs`);
  const words = row ? ["oauth", "sign-in", ...names(row), ...(row.keywords ?? [])] : otherKeywords[name];
  const address = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const { dependencies, peerDependencies, peerDependenciesMeta, optionalDependencies, devDependencies } = own;
  return {
    name: specifier,
    version,
    description,
    keywords: ["cardea", "auth", "authentication", ...words],
    license: "ISC",
    repository: { ...repository, directory },
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs,
    type: "module",
    sideEffects: false,
    engines,
    ...(own.bin ? { bin: own.bin } : {}),
    exports,
    ...withoutExports(exports),
    // The licence file is in the repository's root; pnpm adds it to each tarball.
    files: files ?? ["dist", "README.md", "CHANGELOG.md"],
    publishConfig: { access: "public" },
    ...withoutUndefined({
      dependencies,
      peerDependencies,
      peerDependenciesMeta,
      optionalDependencies,
      devDependencies,
    }),
  };
}

/** A service's name as a keyword, unless it is a phrase. */
const names = ({ service }) => (/^(?:an? |any )|passkeys|^(?:VK|TikTok)$/.test(service) ? [] : [service.toLowerCase()]);

const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Maps the entry points for tools that ignore `exports` (TypeScript's module resolution node10). */
function withoutExports({ ".": main, ...others }) {
  const typed = Object.entries(others).filter(([, target]) => target.types);
  const paths = Object.fromEntries(typed.map(([subpath, { types }]) => [subpath.slice(2), [types]]));
  return {
    ...(main ? { main: main.default, types: main.types } : {}),
    ...(typed.length > 0 ? { typesVersions: { "*": paths } } : {}),
  };
}

/** The README of a provider package, with matching lines replaced by those of the frame. */
function frame(name, provider, text) {
  if (provider.oauth === false) return text;
  const head = provider.head === false ? undefined : headOf(name, provider);
  const body = head ? head + text.slice(text.indexOf("\n## ") + 1) : text;
  return body

    .replace(/^(?:Every|You can replace every) other \[member of a provider\][\s\S]*?\n\n/m, `${anyOther}\n\n`)
    .split("\n")
    .map((line) => shared.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), line))
    .join("\n");
}

function headOf(name, { service, export: exported = service }) {
  return `# @cardea/${name}

Sign in with ${service}.

\`\`\`sh
npm install @cardea/core @cardea/${name}
\`\`\`

\`\`\`ts
import { createAuth } from "@cardea/core";
import { ${exported} } from "@cardea/${name}";

export const { handlers, auth } = createAuth({ providers: [${exported}] });
\`\`\`

`;
}

const anyOther = `You can replace every other [member of a provider](../../docs/oauth.md#provider-options). Options are merged into the
defaults: objects deeply; arrays, functions and other values are replaced.`;

/** Lines that the READMEs of OAuth providers share, matched by their first words or first cell. */
const shared = [
  [/^(\d)\. (?:Put what you got into|Set) the environment.*$/, "$1. Set the environment variables:"],
  [
    /^(?:All of them, with causes: |See )\[the list of.*errors\]\(.*$/,
    "See [the list of all errors](../../docs/errors.md).",
  ],
  [/^\| (?:what is seen|symptom) \|.*$/, "| symptom | cause | remedy |"],
  [
    /^(\| `id`, `name` \| [^|]+ \|) .*$/,
    "$1 set another `id` to add the provider a second time; the id is part of the callback URL and of the variable names |",
  ],
  row("`allowDangerousEmailAccountLinking`", "`false` | [account linking](../../docs/oauth.md#account-linking)"),
  [
    /^\| `InvalidConfiguration` at start(?:up)? \|[^|]*\|/,
    "| `InvalidConfiguration` at startup | no client id or no secret |",
  ],
  [
    /^\| (.+?) shows an error page \|.*$/,
    "| $1 shows an error page | the callback URL differs from the registered one | compare protocol, host and path exactly; set `AUTH_URL` behind a proxy |",
  ],
  row("`OAuthCallbackError`", "the secret is wrong, or the response was rejected | see the cause in the log"),
  row("`InvalidCheck` in the log", "the response arrived late, twice, or in another browser | start again"),
  row("`OAuthAccountNotLinked`", "a user with this e-mail address signed up in another way | sign in that way"),
  row("`AccessDenied`", "the user declined, or `callbacks.signIn` denied the sign-in |"),
];

/** A table row with this first cell. */
function row(cell, others) {
  return [new RegExp(`^\\| ${cell} \\|.*$`), `| ${cell} | ${others} |`];
}

/** `exports` and the paths of tsconfig.json must refer to the same file; otherwise tests and types would use an old build. */
function checkPaths(root) {
  const entries = packageNames(root).flatMap((name) => publicEntries(root, name));
  return entries.flatMap(({ specifier, source }) => {
    const bySource = sourceByPaths(root, specifier);
    return bySource === source
      ? []
      : [`tsconfig.json:1 leads ${specifier} to ${bySource ?? "nothing"}; it is built from ${source}`];
  });
}

/** Checks that the repository's README lists every package. */
function checkList(root) {
  const text = existsSync(join(root, "README.md")) ? readFileSync(join(root, "README.md"), "utf8") : "";
  const missing = packageNames(root).filter((name) => !text.includes(`(packages/${name}/README.md)`));
  return missing.map((name) => `README.md:1 does not list packages/${name}`);
}

const write = (root) => {
  writeTexts(root, textsOf(root));
  return [];
};

await runAsScript(import.meta, argv.includes("--write") ? write : checkPackageTexts);
