import { Node, SyntaxKind } from "ts-morph";
import { moduleReferences } from "../../adopt/module-references.ts";
import { objectIn, valueNamed } from "../../adopt/object-literals.ts";
import { type Check, type Facts, type FoundConfiguration, placeOf } from "../facts.ts";

const option = ({ literals }: FoundConfiguration, name: string): Node | undefined =>
  literals.map((literal) => valueNamed(literal, name)).find((value) => value !== undefined);

/** Findings for one option in each configuration. */
function inOption({ configurations }: Facts, name: string, pattern: RegExp, what: string, remedy: string) {
  return configurations.flatMap((configuration) => {
    const value = option(configuration, name);
    return value !== undefined && pattern.test(value.getText()) ? [{ where: placeOf(value), what, remedy }] : [];
  });
}

/** Names of the providers in a configuration: `GitHub`, `Auth0(…)`. */
function providersOf(
  facts: Facts,
): readonly { readonly name: string; readonly package: string; readonly node: Node }[] {
  return facts.configurations.flatMap((configuration) => {
    const list = option(configuration, "providers");
    const elements = Node.isArrayLiteralExpression(list) ? list.getElements() : [];
    return elements.flatMap((node) => {
      const called = Node.isCallExpression(node) ? node.getExpression() : node;
      const from = packageOf(called);
      return from === undefined ? [] : [{ name: called.getText(), package: from, node }];
    });
  });
}

function packageOf(node: Node): string | undefined {
  if (!Node.isIdentifier(node)) return undefined;
  const imported = node
    .getSourceFile()
    .getImportDeclarations()
    .find((declaration) => {
      const names = declaration
        .getNamedImports()
        .map((named) => (named.getAliasNode() ?? named.getNameNode()).getText());
      return declaration.getDefaultImport()?.getText() === node.getText() || names.includes(node.getText());
    });
  return /^@cardea\/providers-(.+)$/.exec(imported?.getModuleSpecifierValue() ?? "")?.[1];
}

/** Provider ids that differ from the package name. */
const IDS: Readonly<Record<string, string>> = { shortvideo: "tiktok", social: "vk", x: "twitter" };
const WITHOUT_KEYS = new Set(["credentials", "email", "webauthn", "password", "oauth2", "oidc", "apple"]);
const NEED_ISSUER = new Set(["auth0", "authentik", "cognito", "fusionauth", "keycloak", "okta", "zitadel"]);

function missingKeys(facts: Facts, ending: string, member: string, applies: (name: string) => boolean) {
  return providersOf(facts).flatMap(({ package: name, node }) => {
    const variable = `AUTH_${(IDS[name] ?? name).toUpperCase().replaceAll("-", "_")}_${ending}`;
    const isGiven = new RegExp(`\\b${member}\\b`).test(node.getText()) || facts.env[variable];
    return isGiven || !applies(name)
      ? []
      : [
          {
            where: placeOf(node),
            what: `${variable} is not set`,
            remedy: `Set ${variable}, or pass \`${member}\` to the provider.`,
          },
        ];
  });
}

const hasKeys = (name: string): boolean => !WITHOUT_KEYS.has(name);

/** Checks of the configuration and related code. */
export const configurationChecks: Readonly<Record<string, Check>> = {
  "no-configuration": ({ configurations }) =>
    configurations.length > 0
      ? []
      : [
          {
            where: "package.json",
            what: "no file calls `createAuth()`",
            remedy: "Run `npx @cardea/cli init`, or `npx @cardea/cli adopt` for an application that uses Auth.js.",
          },
        ],
  "provider-id": (facts) => missingKeys(facts, "ID", "clientId", hasKeys),
  "provider-secret": (facts) => missingKeys(facts, "SECRET", "clientSecret", hasKeys),
  "provider-issuer": (facts) => missingKeys(facts, "ISSUER", "issuer", (name) => NEED_ISSUER.has(name)),
  "csrf-off": (facts) =>
    inOption(facts, "skipCSRFCheck", /./, "CSRF protection is disabled", "Remove `skipCSRFCheck`."),
  "debug-on": (facts) =>
    facts.isProduction
      ? inOption(
          facts,
          "debug",
          /^true$/,
          "`debug` is enabled in production",
          'Use `debug: process.env.NODE_ENV !== "production"`.',
        )
      : [],
  "secure-cookies-off": (facts) =>
    inOption(
      facts,
      "useSecureCookies",
      /^false$/,
      "`useSecureCookies` is false",
      "Remove it: secure cookies are used on https automatically.",
    ),
  "cookie-not-secure": (facts) =>
    inOption(facts, "cookies", /\bsecure:\s*false\b/, "a cookie is not `secure`", "Remove `secure: false`."),
  "cookie-same-site": (facts) =>
    inOption(
      facts,
      "cookies",
      /\bsameSite:\s*["']none["']/,
      'a cookie has `sameSite: "none"`',
      "Remove it, unless the application is embedded in a frame on another site.",
    ),
  "cookie-readable": (facts) =>
    inOption(facts, "cookies", /\bhttpOnly:\s*false\b/, "a cookie is readable by scripts", "Remove `httpOnly: false`."),
  "email-without-adapter": (facts) =>
    providersOf(facts)
      .filter(({ package: name }) => name === "email" || name === "webauthn")
      .flatMap(({ name, node }) =>
        facts.configurations.some((configuration) => option(configuration, "adapter") !== undefined)
          ? []
          : [
              {
                where: placeOf(node),
                what: `${name} requires an adapter`,
                remedy: "Add an `adapter`, which stores tokens and keys (docs/database.md).",
              },
            ],
      ),
  "middleware-strategy": ({ configurations }) => {
    const main = configurations.find((configuration) => option(configuration, "adapter") !== undefined);
    if (main === undefined) return [];
    const isJwt = (configuration: FoundConfiguration) =>
      /["']jwt["']/.test(option(configuration, "session")?.getText() ?? "");
    return configurations
      .filter((other) => option(other, "adapter") === undefined && isJwt(other) !== isJwt(main))
      .map(({ call }) => ({
        where: placeOf(call),
        what: "uses a different session strategy than the instance with the adapter",
        remedy: "Set the same `session.strategy` in both; otherwise they cannot read each other's sessions.",
      }));
  },
  "authorized-open-end": ({ configurations }) =>
    configurations.flatMap((configuration) => {
      const authorized = callbackOf(configuration, "authorized");
      const body =
        Node.isArrowFunction(authorized) || Node.isMethodDeclaration(authorized) ? authorized.getBody() : undefined;
      const last = Node.isBlock(body) ? body.getStatements().at(-1) : undefined;
      return last !== undefined && Node.isIfStatement(last) && last.getElseStatement() === undefined
        ? [
            {
              where: placeOf(last),
              what: "`authorized` may return nothing, which denies the request",
              remedy: "Return `true` or `false` in all cases.",
            },
          ]
        : [];
    }),
  "email-lookup": ({ configurations }) =>
    configurations.flatMap((configuration) =>
      (callbackOf(configuration, "jwt")?.getDescendantsOfKind(SyntaxKind.CallExpression) ?? [])
        .filter((call) => /^[\w.]*(?:ByEmail\(|find\w*\(\s*\{(?:\s*where\s*:\s*\{)?\s*email\b)/.test(call.getText()))
        .map((call) => ({
          where: placeOf(call),
          what: "`callbacks.jwt` looks up a user by e-mail address",
          remedy: "Look up the user by `token.sub`: an address can later belong to another user.",
        })),
    ),
  "leftover-import": ({ project }) =>
    project.getSourceFiles().flatMap((file) =>
      moduleReferences(file)
        .filter(({ specifier }) =>
          /^(?:next-auth|@auth\/express|@auth\/sveltekit|@hono\/auth-js)(?:\/|$)/.test(specifier),
        )
        .map(({ literal, specifier }) => ({
          where: placeOf(literal),
          what: `imports ${specifier}`,
          remedy: "Run `npx @cardea/cli adopt`, or change the import (docs/from-authjs.md).",
        })),
    ),
  "leftover-package": ({ manifest: { dependencies, devDependencies } }) =>
    ["next-auth", "@auth/express", "@auth/sveltekit", "@hono/auth-js"]
      .filter((name) => dependencies[name] ?? devDependencies[name])
      .map((name) => ({
        where: "package.json",
        what: `${name} is still listed`,
        remedy: `Uninstall ${name} when nothing imports it any more.`,
      })),
  "leftover-cookie": ({ project }) =>
    project.getSourceFiles().flatMap((file) =>
      file
        .getDescendantsOfKind(SyntaxKind.StringLiteral)
        .filter((literal) => /^(?:__Secure-)?(?:next-auth|authjs)\.session-token$/.test(literal.getLiteralValue()))
        .filter((literal) => !isCookieOption(literal, project))
        .map((literal) => ({
          where: placeOf(literal),
          what: "refers to a cookie of the former library",
          remedy: "Call `auth()` instead of reading the cookie.",
        })),
    ),
};

function callbackOf(configuration: FoundConfiguration, name: string): Node | undefined {
  const callbacks = objectIn(option(configuration, "callbacks"));
  return callbacks === undefined ? undefined : valueNamed(callbacks, name);
}

/** Whether a string is a cookie name in a configuration, a bridge or `getToken()`, directly or through a constant. */
function isCookieOption(literal: Node, project: Facts["project"]): boolean {
  if (literal.getFirstAncestor((node) => /^bridge\(/.test(node.getText())) !== undefined) return true;
  const holder = literal.getFirstAncestor(
    (node) => Node.isVariableDeclaration(node) || Node.isPropertyAssignment(node) || Node.isCallExpression(node),
  );
  if (Node.isPropertyAssignment(holder)) return /^(?:name|cookie|cookieName|salt)$/.test(holder.getName());
  if (!Node.isVariableDeclaration(holder)) return false;
  const use = new RegExp(`\\b(?:name|cookie|cookieName|salt):\\s*${holder.getName()}\\b`);
  return project.getSourceFiles().some((file) => use.test(file.getFullText()));
}
