import { Node, type SourceFile, SyntaxKind, type VariableDeclaration } from "ts-morph";
import type { Application } from "./application.ts";
import { hasName } from "./identifiers.ts";
import { constantOf } from "./resolve-value.ts";

/** The `createAuth()` call of a file, with the names of its members. */
export interface AuthInstance {
  readonly file: SourceFile;
  readonly declaration: VariableDeclaration;
  /** Exported name by member. */
  readonly members: ReadonlyMap<string, string>;
}

/** The instances of a file: `const { handlers, auth } = createAuth(…)`, before or after the rename. */
export function instancesOf(file: SourceFile): readonly AuthInstance[] {
  return file.getVariableDeclarations().flatMap((declaration): AuthInstance[] => {
    const binding = declaration.getNameNode();
    const call = declaration.getInitializer();
    if (!Node.isObjectBindingPattern(binding) || !Node.isCallExpression(call)) return [];
    if (!/^(?:createAuth|NextAuth)$/.test(call.getExpression().getText())) return [];
    const members = binding.getElements().map((element): [string, string] => {
      const name = element.getName();
      return [element.getPropertyNameNode()?.getText() ?? name, name];
    });
    return [{ file, declaration, members: new Map(members) }];
  });
}

/** The instance that a constant is the configuration of. */
export function instanceOf(application: Application, constant: VariableDeclaration): AuthInstance | undefined {
  return application.project
    .getSourceFiles()
    .flatMap(instancesOf)
    .find(({ declaration }) => {
      const call = declaration.getInitializerIfKind(SyntaxKind.CallExpression);
      const [given] = call?.getArguments() ?? [];
      return given !== undefined && constantOf(application, given) === constant;
    });
}

/** The only instance of the application that exports `auth`, apart from that of middleware. */
export function onlyInstance({ project }: Application): AuthInstance | undefined {
  const all = project.getSourceFiles().flatMap(instancesOf);
  const exported = all.filter(({ declaration, members }) => members.has("auth") && declaration.isExported());
  return exported.length === 1 ? exported[0] : undefined;
}

/** Names for the members of an instance. */
export interface FreshBinding {
  readonly handlers: string;
  readonly auth: string;
  readonly text: string;
}

/**
 * `{ handlers, auth }` as a destructuring pattern without name conflicts in the file.
 *
 * @param others the instances that are added to the same file, each with names of its own
 */
export function freshBinding(file: SourceFile, others: readonly FreshBinding[] = []): FreshBinding {
  const taken = others.flatMap(({ handlers, auth }) => [handlers, auth]);
  const pick = (...names: readonly string[]) => {
    const numbered = others.map((_, index) => `${names.at(-1)}${index + 2}`);
    return [...names, ...numbered].find((name) => !taken.includes(name) && !hasName(file, name)) ?? `${names[0]}_`;
  };
  const [handlers, auth] = [pick("handlers", "authHandlers"), pick("auth", "readSession")];
  const element = (member: string, name: string) => (member === name ? name : `${member}: ${name}`);
  return { handlers, auth, text: `{ ${element("handlers", handlers)}, ${element("auth", auth)} }` };
}
