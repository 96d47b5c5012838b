import { providerOptions } from "@cardea/core/providers";
import {
  type CallExpression,
  type Identifier,
  Node,
  type ObjectLiteralElementLike,
  type ObjectLiteralExpression,
  type SourceFile,
} from "ts-morph";
import type { Application } from "../application.ts";
import { partsOf, valueNamedBy } from "../configuration.ts";
import type { Draft } from "../draft.ts";
import { usesOf } from "../identifiers.ts";
import { nameOf, propertyNamed } from "../object-literals.ts";
import type { FormerProvider } from "../provider-packages.ts";

/** Options that limit who may sign in and that our provider's function reads. By name of the provider in Auth.js. */
export const READ: Readonly<Record<string, readonly string[]>> = {
  email: ["allowLocalDomains"],
  github: ["enterprise"],
  gitlab: ["baseUrl"],
  nodemailer: ["allowLocalDomains"],
  passkey: ["allowLocalDomains"],
  webauthn: ["allowLocalDomains"],
  workos: ["connection", "organization"],
};

/** The member that takes the place of an option of Auth.js with this value. */
interface Successor {
  readonly option: string;
  readonly member: string;
  readonly write: (value: string) => string;
}

const ENTRA: Successor = {
  option: "tenantId",
  member: "issuer",
  write: (value) => {
    const [, , text = `\${${value}}`] = /^(["'])([^"'\\`$]*)\1$/.exec(value) ?? [];
    return `issuer: \`https://login.microsoftonline.com/${text}/v2.0\``;
  },
};

const SUCCESSORS: Readonly<Record<string, Successor>> = {
  "azure-ad": ENTRA,
  "microsoft-entra-id": ENTRA,
  fusionauth: {
    option: "tenantId",
    member: "authorization",
    write: (value) => `authorization: { params: { tenantId: ${value} } }`,
  },
};

/** Whether an option of the Auth.js provider that limits who may sign in has become another member. */
export const hasSuccessor = (name: string): boolean => Object.hasOwn(SUCCESSORS, name);

/**
 * Options that limit who may sign in, and that our provider does not read:
 *
 * 1. The one that the Auth.js provider read is moved to the member that takes its place, whichever way it is written.
 * 2. Every other one, and one in an object that other code shares, is left: with it, the application does not start.
 * 3. Options that cannot be read are named, if the Auth.js provider read such an option.
 */
export function moveLimits(
  draft: Draft,
  application: Application,
  { name }: FormerProvider,
  call: CallExpression,
): void {
  const [given] = call.getArguments();
  if (given === undefined) return;
  const { literals, names, unread } = partsOf(application, given);
  const successor = SUCCESSORS[name];
  const shared = names.find((one) => isShared(application, one));
  const isTaken = successor !== undefined && literals.some((literal) => propertyNamed(literal, successor.member));
  const limits = literals.flatMap((literal) =>
    literal.getProperties().flatMap((property) => {
      const remedy = remedyFor(name, nameOf(property));
      return remedy === undefined ? [] : [{ property, remedy }];
    }),
  );
  for (const { property, remedy } of limits) {
    const value = nameOf(property) === successor?.option && !isTaken && !shared ? textOf(property) : undefined;
    if (successor !== undefined && value !== undefined) {
      draft.replace(property, successor.write(value));
      draft.note(
        "changed",
        property,
        `\`${successor.option}\` → \`${successor.member}\``,
        "it limits who may sign in; without a value, no one can",
      );
    } else draft.note("left", property, `\`${nameOf(property)}\` limits who may sign in`, remedy);
  }
  const hidden = [...unread, ...literals.flatMap(computedMembers), ...(shared === undefined ? [] : [shared])];
  const [first] = hidden;
  if (first !== undefined && limits.length === 0) nameHiddenLimit(draft, { name }, first);
}

/** Names a place where the options of a provider cannot be read, if the Auth.js provider read one that limits who may sign in. */
export function nameHiddenLimit(draft: Draft, { name }: Pick<FormerProvider, "name">, place: Node): void {
  const successor = SUCCESSORS[name];
  if (successor === undefined) return;
  draft.note(
    "left",
    place,
    "options of a provider that may limit who can sign in were not read",
    `if they have \`${successor.option}\`, the application does not start: replace it by \`${successor.write("tenantId")}\``,
  );
}

/** What takes the place of an option, in the words of the error that our provider throws. */
function remedyFor(provider: string, option: string | undefined): string | undefined {
  if (option === undefined || READ[provider]?.includes(option)) return undefined;
  try {
    providerOptions("", { [option]: "" });
    return undefined;
  } catch (error) {
    const [, remedy] = /has no effect; (.*)\.$/.exec(String(error)) ?? [];
    return `the application does not start with it: ${remedy ?? ""}`;
  }
}

/** Members whose names are computed. */
function computedMembers(literal: ObjectLiteralExpression): readonly Node[] {
  return literal.getProperties().filter((one) => !Node.isSpreadAssignment(one) && nameOf(one) === undefined);
}

function textOf(property: ObjectLiteralElementLike): string | undefined {
  if (Node.isShorthandPropertyAssignment(property)) return property.getName();
  return Node.isPropertyAssignment(property) ? property.getInitializerOrThrow().getText() : undefined;
}

/** Whether code other than this use reads or changes a constant, so that its members must stay. */
function isShared(application: Application, use: Identifier): boolean {
  const file = use.getSourceFile();
  const value = valueNamedBy(application, file, use.getText());
  const declaration = value?.getFirstAncestor(Node.isVariableDeclaration);
  const home = value?.getSourceFile() ?? file;
  const name = Node.isFunctionDeclaration(value) ? (value.getName() ?? "") : (declaration?.getName() ?? use.getText());
  const others = application.project.getSourceFiles().filter((one) => one !== file && one.getFullText().includes(name));
  const usedIn = (one: SourceFile, text: string) =>
    usesOf(one, text).filter((node) => node !== use && !Node.isFunctionDeclaration(node.getParent())).length > 0;
  return (
    usedIn(file, use.getText()) || (file !== home && usedIn(home, name)) || others.some((one) => usedIn(one, name))
  );
}
