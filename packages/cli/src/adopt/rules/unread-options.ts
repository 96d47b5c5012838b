import type { AuthConfig } from "@cardea/core";
import type { CredentialsProvider, EmailProvider, OAuthProvider } from "@cardea/core/providers";
import {
  type CallExpression,
  Node,
  type ObjectLiteralElementLike,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import type { Application } from "../application.ts";
import { configurationGiven, createAuthCalls, partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { nameOf, propertyNamed, valueNamed } from "../object-literals.ts";
import type { FormerProvider } from "../provider-packages.ts";

/** Checks a list of names: each is a member, and no member is missing. */
const all =
  <T extends string>() =>
  <const L extends readonly T[]>(names: Exclude<T, L[number]> extends never ? L : never): readonly string[] =>
    names;

type NameOf<T> = Extract<keyof T, string>;

const OAUTH = all<NameOf<OAuthProvider>>()([
  ...([
    "id",
    "name",
    "type",
    "style",
    "options",
    "extension",
    "issuer",
    "wellKnown",
    "authorization",
    "token",
  ] as const),
  ...([
    "userinfo",
    "jwks_endpoint",
    "clientId",
    "clientSecret",
    "client",
    "checks",
    "ownsAddresses",
    "profile",
    "verifiedEmail",
  ] as const),
  ...(["account", "refuseCallbackUrl", "idTokenIssuer", "idToken", "allowDangerousEmailAccountLinking"] as const),
  ...(["redirectProxyUrl", "par", "dpop", "signedRequest", "audiences", "cancelled", "insecureOrigins"] as const),
  ...(["endSessionParams"] as const),
]);

const EMAIL = all<NameOf<EmailProvider>>()([
  ...(["id", "name", "type", "style", "options", "extension", "server", "from", "apiKey", "maxAge", "code"] as const),
  ...(["secret", "generateVerificationToken", "requires", "normalizeIdentifier", "allowLocalDomains"] as const),
  ...(["sendVerificationRequest", "ownsAddress", "allowDangerousEmailAccountLinking", "rateLimit"] as const),
]);

const CREDENTIALS = all<NameOf<CredentialsProvider>>()([
  ...(["id", "name", "type", "style", "options", "extension", "credentials", "authorize"] as const),
]);

/** Options of passkeys, in Auth.js and in our package. */
const PASSKEY = [
  ...["id", "name", "style", "relayingParty", "getRelayingParty", "enableConditionalUI", "formFields", "getUserInfo"],
  ...["authenticationOptions", "registrationOptions", "verifyAuthenticationOptions", "verifyRegistrationOptions"],
  ...["maxSignInAge", "decoySecret", "allowLocalDomains", "simpleWebAuthn", "simpleWebAuthnBrowserVersion"],
];

const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  credentials: CREDENTIALS,
  email: EMAIL,
  nodemailer: EMAIL,
  passkey: PASSKEY,
  webauthn: PASSKEY,
};

/** Options that a function of ours reads itself, by name of the provider in Auth.js. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  github: ["enterprise"],
  gitlab: ["baseUrl"],
  tiktok: ["fields"],
  vk: ["apiVersion", "accessTokenUrl", "requestTokenUrl", "authorizationUrl", "profileUrl"],
  workos: ["connection", "organization"],
};

const CONFIGURATION = all<NameOf<AuthConfig>>()([
  ...(["providers", "adapter", "basePath", "callbacks", "cookies", "debug", "encodedSlashes", "events"] as const),
  ...(["extensions", "experimental", "jwt", "logger", "pages", "redirectProxyUrl", "redirectProxyOrigins"] as const),
  ...([
    "maxTenants",
    "redirectSchemes",
    "secret",
    "session",
    "skipCSRFCheck",
    "raw",
    "store",
    "theme",
    "texts",
    "trustHost",
  ] as const),
  ...(["useSecureCookies", "strippedPrefix", "origins"] as const),
]);

/** Names an option that the package of a provider does not read. */
export function nameUnread(
  draft: Draft,
  { name }: Pick<FormerProvider, "name">,
  property: ObjectLiteralElementLike,
): void {
  const option = nameOf(property);
  const isRead = [...(BY_TYPE[name] ?? OAUTH), ...(OWN[name] ?? [])].includes(option ?? "");
  if (option === undefined || isRead) return;
  if (option === HTTP) draft.note("left", property, "`httpOptions` is not supported", PROXY);
  else draft.note("look", property, `the provider does not read \`${option}\``, "remove it, if nothing else reads it");
}

const HTTP = "httpOptions";
const PROXY = "Cardea sets timeouts itself; for a proxy, use `[customFetch]` (docs/oauth.md)";

/** Names an option that no provider of `@auth/core` has; the function of one that is kept may read any other. */
export function nameUnreadOfKept(draft: Draft, application: Application, call: CallExpression): void {
  const [given] = call.getArguments();
  const { literals } = given === undefined ? { literals: [] } : partsOf(application, given);
  for (const property of literals.flatMap((literal) => literal.getProperties()))
    if (!Node.isSpreadAssignment(property) && nameOf(property) === HTTP)
      draft.note("left", property, "`httpOptions` is not supported", PROXY);
}

/** Names options of a configuration, and of provider objects in it, that nothing reads. */
export function nameUnreadOptions(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<Node>();
  for (const file of application.project.getSourceFiles())
    for (const one of membersOfProviders(file)) if (!Node.isSpreadAssignment(one)) nameUnread(draft, { name: "" }, one);
  for (const call of createAuthCalls(application)) {
    const given = configurationGiven(application, call);
    for (const literal of given === undefined ? [] : partsOf(application, given).literals) {
      for (const property of literal.getProperties()) {
        const name = Node.isSpreadAssignment(property) ? undefined : nameOf(property);
        if (name === undefined || CONFIGURATION.includes(name) || seen.has(property)) continue;
        seen.add(property);
        draft.note("look", property, `the option \`${name}\` has no effect`, "remove it, if nothing else reads it");
      }
    }
  }
  return draft;
}

/** The members of OAuth providers that the application writes itself, wherever they are added to the list. */
function membersOfProviders(file: SourceFile): readonly ObjectLiteralElementLike[] {
  if (!/\btype["']?\s*:\s*["'](?:oauth|oidc)["']/.test(file.getFullText())) return [];
  const objects = file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression);
  const isProvider = (one: ObjectLiteralExpression) =>
    /^["'](?:oauth|oidc)["']$/.test(valueNamed(one, "type")?.getText() ?? "") && propertyNamed(one, "id") !== undefined;
  return objects.filter(isProvider).flatMap((one) => one.getProperties());
}
