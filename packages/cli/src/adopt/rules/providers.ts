import { type CallExpression, Node, type SourceFile, type StringLiteral } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { usesOf } from "../identifiers.ts";
import { moduleReferences, requoted } from "../module-references.ts";
import { optionsOf, propertyNamed } from "../object-literals.ts";
import { type FormerProvider, formerProvider } from "../provider-packages.ts";
import { styleOf } from "../source-style.ts";
import { dropNames } from "./imports.ts";

/**
 * Providers, package by package:
 *
 * 1. A provider with a Cardea package is imported from it, with the same export and options.
 * 2. Any other provider object is kept, imported from `@auth/core`.
 * 3. If NextAuth v4 used another id, that id is set explicitly, so that accounts and callback URLs do not change.
 */
export function moveProviders(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    for (const { literal, specifier } of moduleReferences(file)) {
      const provider = formerProvider(specifier);
      if (
        provider === undefined ||
        (specifier === `@auth/core/providers/${provider.name}` && provider.package === undefined)
      )
        continue;
      if (moveTypes(draft, literal, specifier)) continue;
      const target = provider.package ?? `@auth/core/providers/${provider.name}`;
      draft.replace(literal, requoted(literal, target));
      draft.added.add(provider.package ?? "@auth/core");
      const kept = provider.package === undefined ? "kept: this Auth.js provider works unchanged" : undefined;
      draft.note("changed", literal, `${specifier} → ${target}`, kept);
      renameTypes(draft, file, literal.getParent());
      for (const call of callsOf(file, literal.getParent())) adjust(draft, application, provider, call);
    }
  }
  return draft;
}

/** Calls of the default import of an import declaration. */
function callsOf(file: SourceFile, declaration: Node | undefined): readonly CallExpression[] {
  if (!Node.isImportDeclaration(declaration)) return [];
  const name = declaration.getDefaultImport()?.getText();
  if (name === undefined) return [];
  return usesOf(file, name).flatMap((use) => {
    const call = use.getParent();
    return Node.isCallExpression(call) && call.getExpression() === use ? [call] : [];
  });
}

/** Types exported by some provider files, with their names in `@cardea/core/providers`. */
const CORE_TYPES: Readonly<Record<string, string>> = {
  CredentialInput: "CredentialInput",
  CredentialsConfig: "CredentialsConfig",
  EmailConfig: "EmailConfig",
  EmailUserConfig: "EmailUserConfig",
  NodemailerConfig: "EmailConfig",
  NodemailerUserConfig: "EmailUserConfig",
  OAuthConfig: "OAuthConfig",
  OAuthUserConfig: "OAuthUserConfig",
  EmailProviderSendVerificationRequestParams: "VerificationRequest",
  SendVerificationRequestParams: "VerificationRequest",
};

/** An import of such types alone. @returns whether it is one. */
function moveTypes(draft: Draft, literal: StringLiteral, specifier: string): boolean {
  const declaration = literal.getParent();
  if (!Node.isImportDeclaration(declaration) || declaration.getDefaultImport() !== undefined) return false;
  const named = declaration.getNamedImports();
  if (named.length === 0 || !named.every((one) => Object.hasOwn(CORE_TYPES, one.getName()))) return false;
  for (const one of named) {
    const name = CORE_TYPES[one.getName()] ?? one.getName();
    if (name === one.getName()) continue;
    draft.replace(one.getNameNode(), one.getAliasNode() === undefined ? `${name} as ${one.getName()}` : name);
  }
  draft.replace(literal, requoted(literal, "@cardea/core/providers"));
  draft.note("changed", literal, `${specifier} → @cardea/core/providers`);
  draft.added.add("@cardea/core");
  return true;
}

function renameTypes(draft: Draft, file: SourceFile, declaration: Node | undefined): void {
  if (!Node.isImportDeclaration(declaration)) return;
  const moved = declaration.getNamedImports().filter((named) => Object.hasOwn(CORE_TYPES, named.getName()));
  if (moved.length === 0) return;
  for (const named of moved) {
    const name = CORE_TYPES[named.getName()] ?? named.getName();
    const local = named.getAliasNode()?.getText() ?? named.getName();
    draft.import(file, "@cardea/core/providers", name === local ? name : `${name} as ${local}`, true);
  }
  draft.added.add("@cardea/core");
  dropNames(
    draft,
    declaration,
    moved.map((named) => named.getName()),
  );
}

function adjust(draft: Draft, { former }: Application, { name }: FormerProvider, call: CallExpression): void {
  const options = optionsOf(call);
  if (former === "nextauth-v4" && options !== undefined) {
    if (name === "azure-ad") moveAzure(draft, options);
    if (name === "email" && propertyNamed(options, "id") === undefined) addMember(draft, options, 'id: "email"');
    if (name === "email" && propertyNamed(options, "server") === undefined)
      addMember(draft, options, "server: undefined");
    const agent = propertyNamed(options, "httpOptions");
    if (agent !== undefined)
      draft.note(
        "left",
        agent,
        "`httpOptions` is not supported",
        "Cardea sets timeouts itself; for a proxy, use `[customFetch]` (docs/oauth.md)",
      );
  }
  if (former === "nextauth-v4" && name === "twitter" && !/version:\s*["']2/.test(call.getText())) {
    draft.note(
      "left",
      call,
      "Twitter with OAuth 1.0",
      "the X provider uses OAuth 2.0: create an OAuth 2.0 client at X and use its id and secret",
    );
  }
  if (former === "nextauth-v4" && (name === "linkedin" || name === "salesforce")) {
    draft.note(
      "look",
      call,
      `accounts of ${name} from NextAuth v4`,
      "the provider's user id has changed; test with an existing account",
    );
  }
}

/** v4 used the id `azure-ad` and only the tenant. */
function moveAzure(draft: Draft, options: import("ts-morph").ObjectLiteralExpression): void {
  const tenant = propertyNamed(options, "tenantId");
  if (propertyNamed(options, "id") === undefined) addMember(draft, options, 'id: "azure-ad"');
  if (Node.isPropertyAssignment(tenant)) {
    const value = tenant.getInitializerOrThrow().getText();
    draft.replace(tenant, `issuer: \`https://login.microsoftonline.com/\${${value}}/v2.0\``);
    draft.note("changed", tenant, "`tenantId` → `issuer`");
  }
}

function addMember(draft: Draft, options: import("ts-morph").ObjectLiteralExpression, member: string): void {
  const { quote } = styleOf(options.getSourceFile().getFullText());
  const text = member.replaceAll('"', quote);
  const first = options.getProperties()[0];
  if (first === undefined) draft.replace(options, `{ ${text} }`);
  else draft.insert(options.getSourceFile(), first.getStart(), `${text},${betweenMembers(options)}`);
}

/** The separator between two members: a line break with indentation, or a space. */
function betweenMembers(options: import("ts-morph").ObjectLiteralExpression): string {
  const [first] = options.getProperties();
  const blank = options
    .getSourceFile()
    .getFullText()
    .slice(options.getStart() + 1, first?.getStart());
  return /\n/.test(blank) ? blank.replace(/^[\s\S]*?(\r?\n[ \t]*)$/, "$1") : " ";
}
