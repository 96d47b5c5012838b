/** The package of a provider by the name of its file in Auth.js. */
const PACKAGES: Readonly<Record<string, string>> = {
  apple: "apple",
  atlassian: "atlassian",
  auth0: "auth0",
  authentik: "authentik",
  "azure-ad": "microsoft-entra-id",
  bitbucket: "bitbucket",
  cognito: "cognito",
  credentials: "credentials",
  discord: "discord",
  dropbox: "dropbox",
  email: "email",
  facebook: "facebook",
  fusionauth: "fusionauth",
  github: "github",
  gitlab: "gitlab",
  google: "google",
  kakao: "kakao",
  keycloak: "keycloak",
  line: "line",
  linkedin: "linkedin",
  "microsoft-entra-id": "microsoft-entra-id",
  naver: "naver",
  nodemailer: "email",
  notion: "notion",
  okta: "okta",
  passkey: "webauthn",
  reddit: "reddit",
  salesforce: "salesforce",
  slack: "slack",
  spotify: "spotify",
  tiktok: "shortvideo",
  twitch: "twitch",
  twitter: "x",
  vk: "social",
  webauthn: "webauthn",
  workos: "workos",
  yandex: "yandex",
  zitadel: "zitadel",
  zoom: "zoom",
};

/** The functions that are not the default export of their package. */
const NAMED: Readonly<Record<string, string>> = { passkey: "Passkey" };

const FORMER = /^(?:next-auth|@auth\/express|@auth\/sveltekit|@auth\/core)\/providers\/([\w-]+)$/;

/** A module of one provider of Auth.js. */
export interface FormerProvider {
  /** The name of its file: `github`. */
  readonly name: string;
  /** The Cardea package for it; undefined if the Auth.js provider is kept. */
  readonly package: string | undefined;
  /** The name of its function in the package; undefined for the default export. */
  readonly named: string | undefined;
}

/** The provider that a module specifier names; undefined for anything else. */
export function formerProvider(specifier: string): FormerProvider | undefined {
  const name = FORMER.exec(specifier)?.[1];
  if (name === undefined || name === "index") return undefined;
  const ending = PACKAGES[name];
  return { name, package: ending === undefined ? undefined : `@cardea/providers-${ending}`, named: NAMED[name] };
}

/** All known provider files of Auth.js with their packages, for tests and documentation. */
export const PROVIDER_PACKAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(PACKAGES).map(([name, ending]) => [name, `@cardea/providers-${ending}`]),
);
