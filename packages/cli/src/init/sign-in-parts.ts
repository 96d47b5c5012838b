/** Ways to sign in that `init` writes, beside the local provider for development. */
export const PROVIDERS = {
  email: "Link by e-mail",
  password: "Password",
  github: "GitHub",
  google: "Google",
} as const;

/** A way to sign in that `init` writes. */
export type ProviderChoice = keyof typeof PROVIDERS;

/** What `init` writes where nothing is chosen: it works without an account anywhere. */
export const DEFAULT_PROVIDERS: readonly ProviderChoice[] = ["email"];

/** Names that a file imports, and the module that has them. */
type Import = readonly [names: string, from: string];

/** Parts of an application that depend on how its users sign in. */
export interface Parts {
  readonly lines: (...text: readonly string[]) => string;
  readonly environment: string;
  /** What `signIn` requires apart from `users`. */
  readonly modules: readonly Import[];
  /** Members of the configuration: providers and adapter. */
  readonly signIn: readonly string[];
  /** `nameOf(session)`, and `home(session)`: the page that every visitor sees. */
  readonly home: readonly string[];
  /** The content of `users.js`. */
  readonly users: string;
  /** How to leave the memory, as comments. */
  readonly wayOut: readonly string[];
  /** What is left to do before production. */
  readonly readme: string;
  /** Packages of `modules`, and core. */
  readonly packages: readonly string[];
  /** A script that starts the local provider for this base path, then the application. */
  readonly providerScript: (path: string, ...start: readonly string[]) => string;
}

interface Provider {
  readonly imported: Import;
  /** An element of `providers`. */
  readonly element: string;
  readonly environment: readonly string[];
  /** What is left for production. */
  readonly step: readonly string[];
}

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;

const DOCS = "https://github.com/cardea-auth/cardea/blob/main/docs";

/** A provider that needs a registration: it is offered as soon as the environment has its keys. */
function registered(name: string, id: string): Provider {
  const prefix = `AUTH_${id.toUpperCase()}`;
  return {
    imported: [name, `@cardea/providers-${id}`],
    element: `...(process.env.${prefix}_ID ? [${name}] : []),`,
    environment: [`# ${name} is offered when both are set.`, `${prefix}_ID=`, `${prefix}_SECRET=`],
    step: [
      `**${name}**: register the callback URL, which ends in \`/callback/${id}\`, and set \`${prefix}_ID\` and \`${prefix}_SECRET\`:`,
      `   https://github.com/cardea-auth/cardea/blob/main/packages/providers-${id}/README.md`,
    ],
  };
}

const WRITTEN: Readonly<Record<ProviderChoice, Provider>> = {
  email: {
    imported: ["Nodemailer", "@cardea/providers-email"],
    element: 'Nodemailer({ server: process.env.SMTP_URL, from: "no-reply@example.com" }),',
    environment: ["SMTP_URL=smtp://127.0.0.1:4025"],
    step: ["**E-mail**: set `SMTP_URL` to your mail server, and `from` to an address of yours."],
  },
  password: {
    imported: ["Password", "@cardea/providers-password"],
    element: "Password(),",
    environment: [],
    step: [
      "**Passwords**: the development script prints the messages of `Password()`. Give it `mail`, which sends them:",
      `   ${DOCS}/passwords.md`,
    ],
  },
  github: registered("GitHub", "github"),
  google: registered("Google", "google"),
};

/** A user who signed in by e-mail has no name. */
const HOME = [
  "const nameOf = (session) => session.user?.name ?? session.user?.email;",
  "const home = (session) =>",
  "  session === null",
  "    ? '<a href=\"/auth/signin\">Sign in</a>'",
  '    : \'<a href="/account">Your account</a> <a href="/auth/signout">Sign out</a>\';',
] as const;

/** How to leave the memory. */
const WAY_OUT = [
  "// Users in memory, lost when this process ends: for development only. For production, export the adapter of your database here,",
  "// such as `export const adapter = PrismaAdapter(client)`: https://github.com/cardea-auth/cardea/blob/main/docs/database.md",
] as const;

/** E-mail sign-in requires a database of users. */
const USERS = lines(
  'import { createMemoryAdapter } from "@cardea/testing/memory-adapter";',
  "",
  ...WAY_OUT,
  "export const { adapter } = (globalThis.memory ??= createMemoryAdapter());",
);

const DEVELOPMENT_WITH_MAIL = [
  "// For development only: a local OpenID Provider that accepts any user name,",
  "// and a mail server that delivers nothing. Links in its e-mails are printed here.",
] as const;

const PRINT_MAILS = [
  "const inbox = await startSmtpSink({ port: 4025 });",
  "const printMails = async () => {",
  "  for (;;) {",
  "    const { to, links } = await inbox.nextMail();",
  '    console.log("E-mail to " + to.join() + ": " + links[0]);',
  "  }",
  "};",
  "printMails();",
] as const;

const providerScript = (chosen: readonly ProviderChoice[], path: string, start: readonly string[]): string => {
  const hasMail = chosen.includes("email");
  return lines(
    'import { once } from "node:events";',
    'import { createServer as createProbe } from "node:net";',
    'import { startOidcProvider } from "@cardea/testing/oidc-provider";',
    ...(hasMail ? ['import { startSmtpSink } from "@cardea/testing/smtp-sink";'] : []),
    ...start.filter((line) => line.startsWith("import ")),
    "",
    "const port = Number(process.env.PORT ?? 3000);",
    "process.env.PORT = String(port);",
    'process.env.AUTH_URL = "http://localhost:" + port;',
    ...(chosen.includes("password")
      ? ['process.env.NODE_ENV ??= "development"; // prints the messages of Password()']
      : []),
    `for (const one of [port, 4000${hasMail ? ", 4025" : ""}]) {`,
    "  const probe = createProbe();",
    '  await once(probe.listen(one), "listening").catch((error) => {',
    '    const remedy = one === port ? "choose another one with PORT" : "replace the number in this file and .env.local";',
    '    console.error("Port " + one + " is unavailable (" + error.code + "). End the process that uses it, or " + remedy + ".");',
    "    process.exit(1);",
    "  });",
    "  probe.close();",
    "}",
    "",
    ...(hasMail
      ? DEVELOPMENT_WITH_MAIL
      : ["// For development only: a local OpenID Provider that accepts any user name."]),
    `await startOidcProvider({ port: 4000, redirectUris: [process.env.AUTH_URL + "${path}/callback/local"] });`,
    ...(hasMail ? PRINT_MAILS : []),
    "",
    ...start.filter((line) => !line.startsWith("import ")),
  );
};

function readmeFor(written: readonly Provider[]): string {
  const steps = [
    [
      "**Users**: `users` keeps them in memory. Export the adapter of your database there:",
      `   ${DOCS}/database.md. Then remove \`@cardea/testing\` from it.`,
    ],
    [
      "**Providers**: remove the local provider from the configuration, or replace it, e.g. by GitHub: install",
      "   `@cardea/providers-github`, register the callback URL, and set `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`:",
      `   ${DOCS}/providers.md`,
    ],
    ...written.map(({ step }) => step),
    [
      "**Environment**: set `AUTH_SECRET` (`npx @cardea/cli secret`), `AUTH_URL` to the public URL, and `NODE_ENV=production`.",
    ],
    ["**Check**: `npx @cardea/cli doctor --production`, and with `--url` when it runs."],
  ];
  return lines(
    "# Sign-in: what is left for production",
    "",
    "Until then a local provider accepts any user name, and messages to users are printed by the development script.",
    "",
    ...steps.flatMap((step, index) => step.map((line, n) => (n === 0 ? `${index + 1}. ${line}` : line))),
  );
}

/** The environment for development: a local provider replaces real ones, and a local mail server a real one. */
const environmentFor = (secret: string, written: readonly Provider[]): string =>
  lines(
    "# For development. In production set AUTH_SECRET and AUTH_URL in the environment.",
    `AUTH_SECRET=${secret}`,
    "AUTH_URL=http://localhost:3000",
    "AUTH_LOCAL_ISSUER=http://127.0.0.1:4000",
    "AUTH_LOCAL_ID=demo",
    "AUTH_LOCAL_SECRET=demo-secret",
    ...written.flatMap(({ environment }) => environment),
  );

/** Returns the parts of an application whose users sign in by the local provider and in these ways, with this secret. */
export function signInParts(secret: string, chosen: readonly ProviderChoice[]): Parts {
  const written = chosen.map((one) => WRITTEN[one]);
  return {
    lines,
    environment: environmentFor(secret, written),
    modules: written.map(({ imported }) => imported),
    signIn: [
      "  providers: [",
      '    { id: "local", name: "Local provider", type: "oidc" },',
      ...written.map(({ element }) => `    ${element}`),
      "  ],",
      "  adapter,",
      '  session: { strategy: "jwt" },',
    ],
    home: HOME,
    users: USERS,
    wayOut: WAY_OUT,
    readme: readmeFor(written),
    packages: ["@cardea/core", ...written.map(({ imported: [, from] }) => from)],
    providerScript: (path, ...start) => providerScript(chosen, path, start),
  };
}
