import {
  type ArrowFunction,
  type CallExpression,
  type FunctionExpression,
  type ImportSpecifier,
  type MethodDeclaration,
  Node,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import type { Application } from "../application.ts";
import { partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { isTypeScript, usesOf } from "../identifiers.ts";
import { objectIn, valueNamed } from "../object-literals.ts";
import { needsType, needsValue, type ProfileRead, readsAt, readsOf } from "../profile-reads.ts";
import { claimKind, PROFILE_TYPES } from "../profile-types.ts";
import { styleOf } from "../source-style.ts";

/**
 * Options of providers that were typed in another way:
 *
 * 1. Profiles had claims that were typed as always present, and further claims of type `any`. Where code relies on it, the type of its
 *    profile says so: `Required<GoogleProfile> & Record<string, any>`. This goes for the parameter of `profile(profile)`, and for each
 *    annotation and cast that names the type.
 * 2. A provider's function had a type parameter in NextAuth v4.
 * 3. `checks` of NextAuth v4 was also one text; now it is a list.
 */
export function typeProviders(application: Application): Draft {
  const draft = new Draft();
  const required = requiredOfUser(application);
  for (const file of application.project.getSourceFiles()) {
    if (isTypeScript(file)) typeProfiles(draft, application, file, required);
    listChecks(draft, file);
  }
  return draft;
}

/** The members that `interface User` of the application requires. */
function requiredOfUser({ project }: Application): ReadonlySet<string> {
  const blocks = project.getSourceFiles().flatMap((file) => file.getModules());
  const users = blocks.flatMap((block) => block.getInterface("User") ?? []);
  const members = users.flatMap((user) => user.getProperties()).filter((member) => !member.hasQuestionToken());
  const extended = users.flatMap((user) => user.getExtends()).map((one) => one.getText());
  return new Set([
    ...members.filter((one) => !/\b(?:undefined|any)\b/.test(one.getText())).map((one) => one.getName()),
    // Types of the application, which may require members.
    ...extended.filter((name) => !/^(?:Default|Adapter)User$/.test(name)),
  ]);
}

function typeProfiles(draft: Draft, application: Application, file: SourceFile, required: ReadonlySet<string>): void {
  for (const [module, { type }] of Object.entries(PROFILE_TYPES)) {
    const declarations = file.getImportDeclarations().filter((one) => one.getModuleSpecifierValue() === module);
    if (declarations.length === 0) continue;
    const imported = declarations.flatMap((one) => one.getNamedImports()).find((one) => one.getName() === type);
    const local = imported === undefined ? type : localOf(imported);
    const profile: Profile = { module, local, required, typed: new Set() };
    const made = declarations.flatMap((one) => one.getDefaultImport()?.getText() ?? []);
    const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression);
    for (const call of calls.filter((one) => made.includes(one.getExpression().getText())))
      typeOptions(draft, application, call, profile);
    if (imported !== undefined) typeUses(draft, file, profile);
  }
}

function localOf(named: ImportSpecifier): string {
  return (named.getAliasNode() ?? named.getNameNode()).getText();
}

interface Profile {
  readonly module: string;
  /** The name of its type in the file. */
  readonly local: string;
  /** What the application's user requires. */
  readonly required: ReadonlySet<string>;
  /** The parameters that have a type by now: the same options may be given to several calls. */
  readonly typed: Set<Node>;
}

/** `Google({ profile(profile) { … } })`. */
function typeOptions(draft: Draft, application: Application, call: CallExpression, profile: Profile): void {
  const [given] = call.getArguments();
  const [own] = call.getTypeArguments();
  if (own !== undefined) removeTypeArgument(draft, call);
  const literals = given === undefined ? [] : partsOf(application, given).literals;
  for (const literal of literals.filter((one) => one.getSourceFile() === call.getSourceFile()))
    typeParameter(draft, literal, profile, own?.getText());
}

function removeTypeArgument(draft: Draft, call: CallExpression): void {
  const path = call.getSourceFile().getFilePath();
  const start = call.getExpression().getEnd();
  const end = call.getFirstChildByKindOrThrow(SyntaxKind.OpenParenToken).getStart();
  draft.edits.push({ path, start, end, text: "" });
  draft.note("changed", call, "the provider's function has no type parameter");
}

/** @param own the type that the application gives as an argument. */
function typeParameter(draft: Draft, literal: ObjectLiteralExpression, profile: Profile, own?: string): void {
  const made = valueNamed(literal, "profile");
  const [parameter] = isFunction(made) ? made.getParameters() : [];
  if (!isFunction(made) || parameter === undefined || parameter.getTypeNode() !== undefined) return;
  if (profile.typed.has(parameter)) return;
  profile.typed.add(parameter);
  const isOwn = own !== undefined && own !== profile.local;
  const type = isOwn ? own : typeFor(literal.getSourceFile(), profile, readsOf(parameter.getNameNode()), true);
  if (type === undefined) return;
  const isBare = Node.isArrowFunction(made) && made.getFirstChildByKind(SyntaxKind.OpenParenToken) === undefined;
  if (isBare) draft.replace(parameter, `(${parameter.getText()}: ${type})`);
  else draft.insert(literal.getSourceFile(), parameter.getNameNode().getEnd(), `: ${type}`);
  if (!isOwn && type !== "any") draft.import(literal.getSourceFile(), profile.module, profile.local, true);
  draft.note("changed", parameter, KEPT);
}

const KEPT = "the claims of `profile` keep their former type";

function isFunction(node: Node | undefined): node is ArrowFunction | FunctionExpression | MethodDeclaration {
  return Node.isArrowFunction(node) || Node.isFunctionExpression(node) || Node.isMethodDeclaration(node);
}

/**
 * The type with which reads of a profile compile; undefined if they do as it is.
 *
 * @param mayBeAny whether a profile that is spread into a user with required members has type `any`: no other type has these members.
 */
function typeFor(
  file: SourceFile,
  { module, local, required }: Profile,
  reads: readonly ProfileRead[],
  mayBeAny = false,
): string | undefined {
  const known = PROFILE_TYPES[module];
  if (known === undefined) return undefined;
  const { quote } = styleOf(file.getFullText());
  const isSpread = ({ claim, place }: ProfileRead) => claim === undefined && Node.isSpreadAssignment(place.getParent());
  if (mayBeAny && required.size > 0 && reads.some(isSpread)) return "any";
  const needed = reads.filter(({ claim, place }) => {
    if (claim === undefined) return !isSpread({ claim, place });
    const kind = claimKind(known, claim);
    return kind === "optional" ? needsValue(place, required) : kind !== "same" && needsType(place);
  });
  const kinds = needed.map(({ claim }) => (claim === undefined ? "unlisted" : claimKind(known, claim)));
  const isAbsent = needed.some(({ claim }, index) => claim === undefined || kinds[index] === "optional");
  const different = needed.flatMap(({ claim }, index) =>
    kinds[index] === "different" ? [`${quote}${claim}${quote}`] : [],
  );
  const parts = [
    ...(kinds.includes("unlisted") ? ["Record<string, any>"] : []),
    ...(different.length > 0 ? [`Record<${[...new Set(different)].join(" | ")}, any>`] : []),
  ];
  const base = isAbsent && known.claims.includes("?") ? `Required<${local}>` : local;
  return parts.length === 0 && base === local ? undefined : [base, ...parts].join(" & ");
}

/** Annotations and casts with the type of a profile. */
function typeUses(draft: Draft, file: SourceFile, profile: Profile): void {
  for (const use of usesOf(file, profile.local)) {
    const reference = use.getParent();
    if (Node.isExpressionWithTypeArguments(reference)) {
      if (!Node.isInterfaceDeclaration(reference.getParent()?.getParent())) continue;
      draft.replace(reference, `Record<string, any>, Required<${profile.local}>`);
      draft.note("changed", reference, KEPT);
    } else if (Node.isTypeReference(reference)) {
      const type = typeOfUse(draft, file, profile, reference);
      if (type === undefined) continue;
      const isPart = /^(?:Array|Indexed|TypeOperator|Union)/.test(reference.getParent()?.getKindName() ?? "");
      draft.replace(reference, isPart ? `(${type})` : type);
      draft.note("changed", reference, KEPT);
    }
  }
}

function typeOfUse(draft: Draft, file: SourceFile, profile: Profile, reference: Node): string | undefined {
  let node: Node | undefined = reference.getParent();
  while (Node.isUnionTypeNode(node) || Node.isIntersectionTypeNode(node) || Node.isParenthesizedTypeNode(node))
    node = node.getParent();
  if (Node.isParameterDeclaration(node) || Node.isVariableDeclaration(node))
    return typeFor(file, profile, readsOf(node.getNameNode()));
  if (Node.isAsExpression(node) || Node.isTypeAssertion(node)) return typeFor(file, profile, readsAt(node));
  if (Node.isTypeAliasDeclaration(node) || Node.isPropertySignature(node))
    return `Required<${profile.local}> & Record<string, any>`;
  // `const options: OAuthUserConfig<GoogleProfile> = { profile(profile) { … } }`.
  const around = node?.getParent();
  const isOptions = Node.isTypeReference(node) && /Config$/.test(node.getTypeName().getText());
  const literal = Node.isVariableDeclaration(around)
    ? objectIn(around.getInitializer())
    : Node.isSatisfiesExpression(around) || Node.isAsExpression(around)
      ? objectIn(around.getExpression())
      : undefined;
  if (isOptions && literal !== undefined) typeParameter(draft, literal, profile);
  return undefined;
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
