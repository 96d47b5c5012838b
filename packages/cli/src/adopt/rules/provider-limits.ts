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
import { nameUnread } from "./unread-options.ts";

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
  /** undefined for a value that cannot be rewritten. */
  readonly write: (value: string) => string | undefined;
}

const TENANT: Successor = {
  option: "tenantId",
  member: "issuer",
  write: (value) => {
    const [, , text = `\${${value}}`] = /^(["'])([^"'\\`$]*)\1$/.exec(value) ?? [];
    return `issuer: \`https://login.microsoftonline.com/${text}/v2.0\``;
  },
};

/** The document of a tenant, below its issuer: NextAuth v4 took the issuer from it, Auth.js v5 did not read it. */
const DOCUMENT: Successor = {
  option: "wellKnown",
  member: "issuer",
  write: (value) => {
    const [, text, quote] = /^((["'`])[^"'`]*)\/\.well-known\/openid-configuration[^"'`]*\2$/.exec(value) ?? [];
    return text === undefined ? undefined : `issuer: ${text}${quote}`;
  },
};

const SUCCESSORS: Readonly<Record<string, readonly [Successor, ...Successor[]]>> = {
  "azure-ad": [TENANT, DOCUMENT],
  "microsoft-entra-id": [TENANT, DOCUMENT],
  fusionauth: [
    {
      option: "tenantId",
      member: "authorization",
      write: (value) => `authorization: { params: { tenantId: ${value} } }`,
    },
  ],
};

/** Whether an option of the Auth.js provider that limits who may sign in has become another member. */
export const hasSuccessor = (name: string): boolean => Object.hasOwn(SUCCESSORS, name);

/**
 * Options that limit who may sign in, and that our provider does not read:
 *
 * 1. The one that the Auth.js provider read is moved to the member that takes its place, whichever way it is written.
 * 2. Every other one, and one in an object that other code shares, is left: with it, the application does not start.
 * 3. Options that cannot be read are named, if the Auth.js provider read such an option.
 * 4. So is every other option that our package does not read.
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
  const successors = SUCCESSORS[name] ?? [];
  const shared = names.find((one) => isShared(application, one));
  const isTaken = literals.some((literal) => successors.some(({ member }) => propertyNamed(literal, member)));
  const members = literals.flatMap((literal) => literal.getProperties().filter((one) => !Node.isSpreadAssignment(one)));
  let isLimited = false;
  for (const property of members) {
    const option = nameOf(property);
    const successor = successors.find((one) => one.option === option);
    const remedy = remedyFor(name, option) ?? (successor && `set \`${successor.member}\` to the one that it leads to`);
    if (remedy === undefined) {
      nameUnread(draft, { name }, property);
      continue;
    }
    isLimited = true;
    const isWritten = successor !== undefined && !isTaken && shared === undefined && isRead(application, successor);
    const text = isWritten ? textOf(property) : undefined;
    const written = text === undefined ? undefined : successor?.write(text);
    if (written === undefined) draft.note("left", property, `\`${option}\` limits who may sign in`, remedy);
    else {
      draft.replace(property, written);
      draft.note("changed", property, `\`${option}\` → \`${successor?.member}\``, LIMIT);
    }
  }
  const hidden = [...unread, ...literals.flatMap(computedMembers), ...(shared === undefined ? [] : [shared])];
  const [first] = hidden;
  if (first !== undefined && !isLimited) nameHiddenLimit(draft, { name }, first);
}

const LIMIT = "it limits who may sign in; without a value, no one can";

/** Whether the former library read an option. */
const isRead = ({ former }: Application, { option }: Successor): boolean =>
  option !== DOCUMENT.option || former === "nextauth-v4";

/** Names a place where the options of a provider cannot be read, if the Auth.js provider read one that limits who may sign in. */
export function nameHiddenLimit(draft: Draft, { name }: Pick<FormerProvider, "name">, place: Node): void {
  const [successor] = SUCCESSORS[name] ?? [];
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
