import { type DatabaseChoice, type Library, storageFor, TABLES_FILE, type UserStorage } from "./databases.ts";
import { developmentScript, SCRIPT_FILE, spawning } from "./development-script.ts";
import { FRAMEWORKS, type Framework, type Template } from "./frameworks.ts";
import { DOCS, type Language, languageOf, type Project, textOf } from "./language.ts";
import { type ProviderChoice, WRITTEN_PROVIDERS, type WrittenProvider } from "./providers.ts";

/** The file with the secret. */
export const SECRETS = ".env.local";

/** What `init` writes: a new application, or what is added to an existing one. */
export interface Starter {
  /** File contents by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Value of the script `dev`. */
  readonly dev: string;
  /** Folders that the framework writes, which git ignores. */
  readonly built: readonly string[];
  /** Patterns of files with data of users, which git ignores. */
  readonly ignored: readonly string[];
  /** What is left to its developer before the first start. */
  readonly byHand: readonly string[];
  /** The page for signed-in users. */
  readonly page: "/" | "/account";
}

/** What was chosen for an application. */
export interface StarterChoices {
  readonly template: Template;
  readonly providers: readonly ProviderChoice[];
  readonly database: DatabaseChoice;
  /** Whether it has an account page, which needs a database. */
  readonly hasAccountPage: boolean;
  /** The existing application that the files are added to. */
  readonly project: Project | undefined;
  readonly library: Library | undefined;
}

/** Returns the files of an application whose users sign in by the local provider and in the chosen ways. */
export function starterFor(choices: StarterChoices, secret: string): Starter {
  const { template, providers, database, library, hasAccountPage } = choices;
  const framework = FRAMEWORKS[template];
  const project = choices.project ?? newProject(framework);
  const language = languageOf(project, framework.isBundled);
  const written = providers.map((one) => WRITTEN_PROVIDERS[one]);
  const extensions = hasAccountPage ? ACCOUNT : [];
  const storage = storageFor(
    database,
    written.some(({ needsRecords }) => needsRecords),
    library,
  );
  const { users, tables, byHand, ignored } = storage;
  const script = developmentScript(
    { chosen: providers, extensions: extensions.map(({ name }) => name) },
    framework.basePath,
    storage.hasOwnFile,
    startOf(framework, project),
  );
  const at = (name: string) => `${project.source}${name}.${language.ending}`;
  const files: readonly (readonly [string, readonly string[]])[] = [
    [at("auth"), configurationOf(framework, language, { written, extensions }, storage)],
    ...(users === undefined ? [] : [[at("users"), users(language)] as const]),
    ...(tables === undefined ? [] : [[TABLES_FILE, tables] as const]),
    ...Object.entries(framework.files(project)),
    [SCRIPT_FILE, script],
    [SECRETS, environmentFor(secret, written, storage)],
    ["AUTH.md", readmeFor(written, storage, hasAccountPage)],
  ];
  return {
    files: new Map(files.map(([path, lines]) => [path, textOf(lines)])),
    ...packagesOf(framework, project, [...written, ...extensions], storage),
    dev: `node ${framework.readsEnvironment ? "" : `--env-file=${SECRETS} `}${SCRIPT_FILE}`,
    built: framework.built ?? [],
    ignored,
    byHand: [...byHand, ...(project.isNew ? [] : [...(framework.byHand?.(language) ?? []), ...ownStart(project)])],
    page: framework.isBundled && template !== "next" ? "/" : "/account",
  };
}

const newProject = ({ source }: Framework): Project => ({
  isNew: true,
  isTypeScript: false,
  isModule: true,
  source,
  start: undefined,
});

/** An existing application is started by its own script; without one, the local provider runs alone. */
function startOf(framework: Framework, { isNew, start }: Project): readonly string[] {
  if (isNew) return framework.start;
  const [program, ...args] = start ?? [];
  return program === undefined ? [] : spawning(program, JSON.stringify(args));
}

const ownStart = ({ start }: Project): readonly string[] =>
  start === undefined
    ? [`Start the application with the variables of ${SECRETS}, while the script runs the local provider.`]
    : [];

/** A function of one of our packages. */
type Imported = Pick<WrittenProvider, "name" | "from">;

/** Its store is that of the adapter. */
const ACCOUNT: readonly Imported[] = [{ name: "account", from: "@cardea/account" }];

/** The file `auth`: every provider, and where users are stored. */
function configurationOf(
  { adapter, create, members, isGuarded }: Framework,
  language: Language,
  { written, extensions }: { readonly written: readonly WrittenProvider[]; readonly extensions: readonly Imported[] },
  { users, hasSessions }: UserStorage,
): readonly string[] {
  const { load, exportedMembers, beside } = language;
  return [
    load(`{ ${create} }`, adapter),
    ...[...written, ...extensions].map(({ name, from }) => load(`{ ${name} }`, from)),
    ...(users === undefined ? [] : [load("{ adapter }", beside("users"))]),
    "",
    `${exportedMembers(members)} ${create}({`,
    "  providers: [",
    '    { id: "local", name: "Local provider", type: "oidc" },',
    ...written.map(({ element }) => `    ${element(language)}`),
    "  ],",
    ...(users === undefined ? [] : ["  adapter,"]),
    ...(users === undefined || hasSessions ? [] : ['  session: { strategy: "jwt" },']),
    ...(extensions.length === 0 ? [] : [`  extensions: [${extensions.map(({ name }) => `${name}()`).join(", ")}],`]),
    ...(isGuarded ? ["  callbacks: { authorized: ({ auth }) => auth !== null },"] : []),
    "});",
  ];
}

/** The environment for development: a local provider replaces real ones, and a local mail server a real one. */
const environmentFor = (secret: string, written: readonly WrittenProvider[], storage: UserStorage) => [
  "# For development. In production set AUTH_SECRET and AUTH_URL in the environment.",
  `AUTH_SECRET=${secret}`,
  "AUTH_URL=http://localhost:3000",
  "AUTH_LOCAL_ISSUER=http://127.0.0.1:4000",
  "AUTH_LOCAL_ID=demo",
  "AUTH_LOCAL_SECRET=demo-secret",
  ...storage.environment,
  ...written.flatMap(({ environment }) => environment),
];

/** What is left of the account page. */
const MESSAGES: readonly string[] = [
  "**Account page**: link to `/auth/account` from the user's menu, and pass `account()` your function `mail`, so that users can change their",
  `   address and are told of changes: ${DOCS}/account.md`,
];

/** What an application with a database can offer next. */
const ACCOUNT_PAGE: readonly string[] = [
  "",
  "# An account page",
  "",
  "`@cardea/account` adds a page on which users manage how they sign in, change their address and delete their account:",
  `${DOCS}/account.md`,
];

function readmeFor(
  written: readonly WrittenProvider[],
  storage: UserStorage,
  hasAccountPage: boolean,
): readonly string[] {
  const steps = [
    storage.step,
    [
      "**Providers**: remove the local provider from the configuration, or replace it, e.g. by GitHub: install",
      "   `@cardea/providers-github`, register the callback URL, and set `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`:",
      `   ${DOCS}/providers.md`,
    ],
    ...written.map(({ step }) => step),
    ...(hasAccountPage ? [MESSAGES] : []),
    [
      "**Environment**: set `AUTH_SECRET` (`npx @cardea/cli secret`), `AUTH_URL` to the public URL, and `NODE_ENV=production`.",
    ],
    ["**Check**: `npx @cardea/cli doctor --production`, and with `--url` when it runs."],
  ];
  return [
    "# Sign-in: what is left for production",
    "",
    "Until then a local provider accepts any user name, and messages to users are printed by the development script.",
    "",
    ...steps.flatMap((step, index) => step.map((line, n) => (n === 0 ? `${index + 1}. ${line}` : line))),
    ...(storage.users === undefined || hasAccountPage ? [] : ACCOUNT_PAGE),
  ];
}

/** The packages that an application needs. Those of its framework an existing one has. */
function packagesOf(
  framework: Framework,
  { isNew, isTypeScript }: Project,
  written: readonly Imported[],
  storage: UserStorage,
): Pick<Starter, "dependencies" | "devDependencies"> {
  const own: Partial<Framework> = isNew ? framework : {};
  const ours = new Set(["@cardea/core", ...written.map(({ from }) => from), framework.adapter]);
  return {
    dependencies: [...ours, ...storage.packages, ...(own.dependencies ?? [])],
    devDependencies: ["@cardea/testing", ...(isTypeScript ? storage.types : []), ...(own.devDependencies ?? [])],
  };
}
