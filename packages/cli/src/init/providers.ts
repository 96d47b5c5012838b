import { DOCS, type Language } from "./language.ts";

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

/** How a provider is written. */
export interface WrittenProvider {
  readonly name: string;
  readonly from: string;
  /** An element of `providers`. */
  readonly element: (language: Language) => string;
  readonly environment: readonly string[];
  /** Whether it works only with an adapter. */
  readonly needsRecords: boolean;
  /** What is left for production. */
  readonly step: readonly string[];
}

/** A provider that needs a registration: it is offered as soon as the environment has its keys. */
function registered(name: string, id: string): WrittenProvider {
  const prefix = `AUTH_${id.toUpperCase()}`;
  return {
    name,
    from: `@cardea/providers-${id}`,
    element: () => `...(process.env.${prefix}_ID ? [${name}] : []),`,
    environment: [`# ${name} is offered when both are set.`, `${prefix}_ID=`, `${prefix}_SECRET=`],
    needsRecords: false,
    step: [
      `**${name}**: register the callback URL, which ends in \`/callback/${id}\`, and set \`${prefix}_ID\` and \`${prefix}_SECRET\`:`,
      `   https://github.com/cardea-auth/cardea/blob/main/packages/providers-${id}/README.md`,
    ],
  };
}

/** How each way to sign in is written. */
export const WRITTEN_PROVIDERS: Readonly<Record<ProviderChoice, WrittenProvider>> = {
  email: {
    name: "Nodemailer",
    from: "@cardea/providers-email",
    element: ({ variable }) => `Nodemailer({ server: ${variable("SMTP_URL")}, from: "no-reply@example.com" }),`,
    environment: ["SMTP_URL=smtp://127.0.0.1:4025"],
    needsRecords: true,
    step: ["**E-mail**: set `SMTP_URL` to your mail server, and `from` to an address of yours."],
  },
  password: {
    name: "Password",
    from: "@cardea/providers-password",
    element: () => "Password(),",
    environment: [],
    needsRecords: true,
    step: [
      "**Passwords**: the development script prints the messages of `Password()`. Give it `mail`, which sends them:",
      `   ${DOCS}/passwords.md`,
    ],
  },
  github: registered("GitHub", "github"),
  google: registered("Google", "google"),
};
