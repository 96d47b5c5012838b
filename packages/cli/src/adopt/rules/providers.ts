import { type CallExpression, type Identifier, Node, type SourceFile, type StringLiteral } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { findImport } from "../former-import.ts";
import { usesOf, usesOfDeclared } from "../identifiers.ts";
import { moduleReferences, requoted } from "../module-references.ts";
import { optionsOf, outermost, propertyNamed } from "../object-literals.ts";
import { type FormerProvider, formerProvider } from "../provider-packages.ts";
import { styleOf } from "../source-style.ts";
import { dropNames } from "./imports.ts";
import { hasSuccessor, moveLimits, nameHiddenLimit } from "./provider-limits.ts";
import { nameUnreadOfKept } from "./unread-options.ts";

/**
 * Providers, package by package:
 *
 * 1. A provider with a Cardea package is imported from it, with the same export and options.
 * 2. Any other provider object is kept, imported from `@auth/core`.
 * 3. If Auth.js used another id, that id is set explicitly, so that accounts and callback URLs do not change.
 *    Where the call is in another file, so that they would not be, the import is left.
 * 4. Options that limit who may sign in are moved, or reported; see {@link moveLimits}.
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
      if (needsOptions(application, provider) && isPassedOn(file, literal, specifier)) {
        draft.note("left", literal, `${specifier} is passed on, so that its options were not found`, PASSED_ON);
        continue;
      }
      if (provider.named !== undefined && !nameExport(draft, literal, provider.named)) {
        draft.note("left", literal, `${specifier} is not imported by its name alone`, namedIn(provider));
        continue;
      }
      const target = provider.package ?? `@auth/core/providers/${provider.name}`;
      draft.replace(literal, requoted(literal, target));
      draft.added.add(provider.package ?? "@auth/core");
      const kept = provider.package === undefined ? "kept: this Auth.js provider works unchanged" : undefined;
      draft.note("changed", literal, `${specifier} → ${target}`, kept);
      renameTypes(draft, file, literal.getParent());
      for (const use of usesOfProvider(file, specifier)) adjust(draft, application, provider, use);
    }
  }
  return draft;
}

const PASSED_ON =
  "import the provider's package where the function is called: its default id, and what limits its users, have changed (docs/from-authjs.md)";

const namedIn = ({ package: from, named }: FormerProvider): string => `import \`{ ${named} }\` of ${from}`;

/** Imports a function by its name instead of as the default export. @returns whether the import is of that alone. */
function nameExport(draft: Draft, literal: StringLiteral, named: string): boolean {
  const declaration = literal.getParent();
  const local = Node.isImportDeclaration(declaration) ? declaration.getDefaultImport() : undefined;
  if (local === undefined || local.getNextSibling()?.getText() === ",") return false;
  draft.replace(local, local.getText() === named ? `{ ${named} }` : `{ ${named} as ${local.getText()} }`);
  return true;
}

/** Whether the options of a provider change with the move. */
function needsOptions({ former }: Application, { name }: FormerProvider): boolean {
  return hasSuccessor(name) || formerDefaults(former, name, () => true).length > 0;
}

/** Whether a file exports the function of a provider, or loads it in a way that shows no call. Such a reference is left. */
function isPassedOn(file: SourceFile, literal: StringLiteral, specifier: string): boolean {
  const declaration = literal.getParent();
  if (Node.isExportDeclaration(declaration)) return !declaration.isTypeOnly();
  const imported = findImport(file, [specifier], "default");
  if (Node.isCallExpression(declaration) && /^(?:import|require)$/.test(declaration.getExpression().getText()))
    return imported === undefined;
  const clauses = file.getExportDeclarations().filter((one) => !one.hasModuleSpecifier());
  const exported = clauses.flatMap((one) => one.getNamedExports()).some((one) => one.getName() === imported?.local);
  const isDefault = file.getExportAssignments().some((one) => one.getExpression().getText() === imported?.local);
  const uses = imported === undefined ? [] : usesOf(file, imported.local);
  return imported !== undefined && (exported || isDefault || uses.some(isMapped));
}

/** `[Provider].map((one) => one(options))`. */
function isMapped(use: Node): boolean {
  const list = use.getParent();
  return Node.isArrayLiteralExpression(list) && Node.isPropertyAccessExpression(outermost(list).getParent());
}

/** A call of a provider's function, also by a cast or another name, or its name where it is passed on. */
function usesOfProvider(file: SourceFile, specifier: string): readonly (CallExpression | Identifier)[] {
  const imported = findImport(file, [specifier], "default");
  const spaces = file
    .getImportDeclarations()
    .filter((one) => one.getModuleSpecifierValue() === specifier)
    .flatMap((one) => one.getNamespaceImport() ?? []);
  const members = spaces.flatMap(usesOfDeclared).flatMap((use) => {
    const access = use.getParent();
    return Node.isPropertyAccessExpression(access) && access.getName() === "default" ? [access] : [];
  });
  return [...(imported === undefined ? [] : usesOf(file, imported.local)), ...members].flatMap((use) => callsBy(use));
}

function callsBy(use: Node): readonly (CallExpression | Identifier)[] {
  const outer = outermost(use);
  const parent = outer.getParent();
  if (Node.isCallExpression(parent) && parent.getExpression() === outer) return [parent];
  const name = Node.isVariableDeclaration(parent) ? parent.getNameNode() : undefined;
  if (Node.isIdentifier(name)) return usesOfDeclared(name).flatMap(callsBy);
  return Node.isIdentifier(use) ? [use] : [];
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

function adjust(
  draft: Draft,
  application: Application,
  provider: FormerProvider,
  call: CallExpression | Identifier,
): void {
  const { former } = application;
  const { name } = provider;
  const options = Node.isCallExpression(call) ? optionsOf(call) : undefined;
  const lacks = (member: string) => options === undefined || propertyNamed(options, member) === undefined;
  addMembers(draft, call, formerDefaults(former, name, lacks));
  if (provider.package !== undefined) {
    if (Node.isCallExpression(call)) moveLimits(draft, application, provider, call);
    else if (!Node.isArrayLiteralExpression(call.getParent())) nameHiddenLimit(draft, provider, call);
  } else if (Node.isCallExpression(call)) nameUnreadOfKept(draft, application, call);
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

/** Options with what Auth.js set by itself, for a provider of ours with other defaults. */
function formerDefaults(
  former: Application["former"],
  name: string,
  lacks: (member: string) => boolean,
): readonly string[] {
  if (name === "azure-ad" || name === "microsoft-entra-id") {
    const id = name === "azure-ad" && lacks("id") ? ['id: "azure-ad"'] : [];
    // Read whatever the id is; our package reads the variable of the id.
    const isRenamed = name === "azure-ad" || !lacks("id");
    const isRead = former === "authjs-v5" && isRenamed && lacks("issuer") && lacks("tenantId");
    return [...id, ...(isRead ? ["issuer: process.env.AUTH_MICROSOFT_ENTRA_ID_ISSUER"] : [])];
  }
  if (name !== "email") return [];
  const isOptional = former === "nextauth-v4" && lacks("server");
  return [...(lacks("id") ? ['id: "email"'] : []), ...(isOptional ? ["server: undefined"] : [])];
}

/** Adds members in front of the options, which override them. */
function addMembers(draft: Draft, use: CallExpression | Identifier, members: readonly string[]): void {
  if (members.length === 0) return;
  const file = use.getSourceFile();
  const list = members.join(", ").replaceAll('"', styleOf(file.getFullText()).quote);
  if (!Node.isCallExpression(use)) {
    const isListed = Node.isArrayLiteralExpression(use.getParent());
    if (isListed) draft.replace(use, `${use.getText()}({ ${list} })`);
    return;
  }
  const [given] = use.getArguments();
  const options = optionsOf(use);
  const first = options?.getProperties()[0];
  if (given === undefined) draft.insert(file, use.getEnd() - 1, `{ ${list} }`);
  else if (options === undefined) {
    draft.insert(file, given.getStart(), `{ ${list}, ...`);
    draft.insert(file, given.getEnd(), " }");
  } else if (first === undefined) draft.replace(options, `{ ${list} }`);
  else {
    const between = betweenMembers(options);
    const text = members.map((member) => `${member},${between}`).join("");
    draft.insert(file, first.getStart(), text.replaceAll('"', styleOf(file.getFullText()).quote));
  }
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
