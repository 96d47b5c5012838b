import { Apple } from "@cardea/providers-apple";
import { Atlassian } from "@cardea/providers-atlassian";
import { Auth0 } from "@cardea/providers-auth0";
import { Authentik } from "@cardea/providers-authentik";
import { Bitbucket } from "@cardea/providers-bitbucket";
import { Cognito } from "@cardea/providers-cognito";
import { Discord } from "@cardea/providers-discord";
import { Dropbox } from "@cardea/providers-dropbox";
import { Facebook } from "@cardea/providers-facebook";
import { FusionAuth } from "@cardea/providers-fusionauth";
import { GitHub } from "@cardea/providers-github";
import { GitLab } from "@cardea/providers-gitlab";
import { Google } from "@cardea/providers-google";
import { Kakao } from "@cardea/providers-kakao";
import { Keycloak } from "@cardea/providers-keycloak";
import { LINE } from "@cardea/providers-line";
import { LinkedIn } from "@cardea/providers-linkedin";
import { MicrosoftEntraID } from "@cardea/providers-microsoft-entra-id";
import { Naver } from "@cardea/providers-naver";
import { Notion } from "@cardea/providers-notion";
import { OIDC } from "@cardea/providers-oidc";
import { Okta } from "@cardea/providers-okta";
import { Reddit } from "@cardea/providers-reddit";
import { Salesforce } from "@cardea/providers-salesforce";
import { TikTok } from "@cardea/providers-shortvideo";
import { Slack } from "@cardea/providers-slack";
import { VK } from "@cardea/providers-social";
import { Spotify } from "@cardea/providers-spotify";
import { Twitch } from "@cardea/providers-twitch";
import { WorkOS } from "@cardea/providers-workos";
import { X } from "@cardea/providers-x";
import { Yandex } from "@cardea/providers-yandex";
import { ZITADEL } from "@cardea/providers-zitadel";
import { Zoom } from "@cardea/providers-zoom";

/**
 * The packages that need nothing but what a provider hands out at registration. `@cardea/providers-oauth2` is not among them:
 * its endpoints are options.
 */
const READY_MADE = [
  Apple,
  Atlassian,
  Auth0,
  Authentik,
  Bitbucket,
  Cognito,
  Discord,
  Dropbox,
  Facebook,
  FusionAuth,
  GitHub,
  GitLab,
  Google,
  Kakao,
  Keycloak,
  LINE,
  LinkedIn,
  MicrosoftEntraID,
  Naver,
  Notion,
  OIDC,
  Okta,
  Reddit,
  Salesforce,
  TikTok,
  Slack,
  VK,
  Spotify,
  Twitch,
  WorkOS,
  X,
  Yandex,
  ZITADEL,
  Zoom,
] as const;

/** A provider as its package makes it; client id, secret and issuer are left to the engine, which reads the environment. */
export type ReadyMadeProvider = ReturnType<(typeof READY_MADE)[number]>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Those whose `AUTH_{ID}_ID` and `AUTH_{ID}_SECRET` are set, and `AUTH_{ID}_ISSUER` where every customer has an issuer of their own.
 * Blank variables count as absent, as they do for the engine.
 */
export function configuredProviders(env: Environment): ReadyMadeProvider[] {
  return READY_MADE.map((create) => create()).filter((provider) =>
    neededVariables(provider).every((name) => Boolean(env[name]?.trim())),
  );
}

/** The names of the variables without which a provider does not work. */
function neededVariables({ id, type, issuer }: ReadyMadeProvider): string[] {
  const prefix = `AUTH_${id.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
  const client = [`${prefix}_ID`, `${prefix}_SECRET`];
  return type === "oidc" && issuer === undefined ? [...client, `${prefix}_ISSUER`] : client;
}
