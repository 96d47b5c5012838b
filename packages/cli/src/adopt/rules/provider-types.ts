import {
  type ArrowFunction,
  type FunctionExpression,
  type MethodDeclaration,
  Node,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { isTypeScript } from "../identifiers.ts";
import { optionsOf, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";

/** The profiles whose claims Auth.js typed as always present, by package. */
const PROFILES: Readonly<Record<string, string>> = {
  "@cardea/providers-apple": "AppleProfile",
  "@cardea/providers-atlassian": "AtlassianProfile",
  "@cardea/providers-auth0": "Auth0Profile",
  "@cardea/providers-authentik": "AuthentikProfile",
  "@cardea/providers-cognito": "CognitoProfile",
  "@cardea/providers-fusionauth": "FusionAuthProfile",
  "@cardea/providers-google": "GoogleProfile",
  "@cardea/providers-keycloak": "KeycloakProfile",
  "@cardea/providers-linkedin": "LinkedInProfile",
  "@cardea/providers-microsoft-entra-id": "MicrosoftEntraIDProfile",
  "@cardea/providers-okta": "OktaProfile",
  "@cardea/providers-salesforce": "SalesforceProfile",
  "@cardea/providers-slack": "SlackProfile",
  "@cardea/providers-spotify": "SpotifyProfile",
  "@cardea/providers-twitch": "TwitchProfile",
};

/** Members of a user that may be absent as well. */
const USER = /^(?:id|name|email|image)$/;

/**
 * Options of providers that were typed in another way:
 *
 * 1. `profile(profile)` read claims that were typed as always present; the parameter says so, where it matters.
 * 2. `checks` of NextAuth v4 was also one text; now it is a list.
 */
export function typeProviders({ project }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    if (isTypeScript(file)) requireClaims(draft, file);
    listChecks(draft, file);
  }
  return draft;
}

function requireClaims(draft: Draft, file: SourceFile): void {
  for (const declaration of file.getImportDeclarations()) {
    const module = declaration.getModuleSpecifierValue();
    const type = PROFILES[module];
    const local = declaration.getDefaultImport()?.getText();
    if (type === undefined || local === undefined) continue;
    for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
      const options = call.getExpression().getText() === local ? optionsOf(call) : undefined;
      const profile = options && valueNamed(options, "profile");
      if (!isFunction(profile) || !readsClaims(profile)) continue;
      const [parameter] = profile.getParameters();
      if (parameter === undefined || parameter.getTypeNode() !== undefined) continue;
      const isBare =
        Node.isArrowFunction(profile) && profile.getFirstChildByKind(SyntaxKind.OpenParenToken) === undefined;
      const text = `${parameter.getText()}: Required<${type}>`;
      draft.replace(parameter, isBare ? `(${text})` : text);
      draft.import(file, module, type, true);
      draft.note("changed", parameter, "the claims of `profile` keep their former type, which is always present");
    }
  }
}

function isFunction(node: Node | undefined): node is ArrowFunction | FunctionExpression | MethodDeclaration {
  return Node.isArrowFunction(node) || Node.isFunctionExpression(node) || Node.isMethodDeclaration(node);
}

/** Whether a claim is used where an absent one would not compile: as an argument, by its members, or in another member. */
function readsClaims(profile: ArrowFunction | FunctionExpression | MethodDeclaration): boolean {
  const name = profile.getParameters()[0]?.getNameNode();
  const names = Node.isObjectBindingPattern(name) ? name.getElements().map((one) => one.getName()) : [];
  const claims = Node.isIdentifier(name)
    ? profile
        .getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)
        .filter((access) => access.getExpression().getText() === name.getText() && !access.hasQuestionDotToken())
    : profile.getDescendantsOfKind(SyntaxKind.Identifier).filter((one) => names.includes(one.getText()));
  return claims.some(needsValue);
}

function needsValue(claim: Node): boolean {
  const parent = claim.getParent();
  if (Node.isPropertyAccessExpression(parent)) return parent.getExpression() === claim && !parent.hasQuestionDotToken();
  if (Node.isElementAccessExpression(parent)) return parent.getExpression() === claim && !parent.hasQuestionDotToken();
  if (Node.isCallExpression(parent)) return parent.getArguments().includes(claim);
  return Node.isPropertyAssignment(parent) && parent.getInitializer() === claim && !USER.test(parent.getName());
}

/** `checks: "pkce"`. */
function listChecks(draft: Draft, file: SourceFile): void {
  if (!/@cardea\/|next-auth|@auth\//.test(file.getFullText())) return;
  for (const property of file.getDescendantsOfKind(SyntaxKind.PropertyAssignment)) {
    const value = property.getInitializer();
    if (property.getName() !== "checks" || !Node.isStringLiteral(value)) continue;
    if (!/^(?:pkce|state|nonce|none)$/.test(value.getLiteralValue())) continue;
    const { quote } = styleOf(file.getFullText());
    draft.replace(value, `[${quote}${value.getLiteralValue()}${quote}]`);
    draft.note("changed", value, "`checks` is a list");
  }
}
