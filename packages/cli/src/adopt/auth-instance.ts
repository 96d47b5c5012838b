import { Node, type SourceFile, type VariableDeclaration } from "ts-morph";
import type { Application } from "./application.ts";
import { hasName } from "./identifiers.ts";

/** The one `createAuth()` of a file, and what its members are called there. */
export interface AuthInstance {
  readonly file: SourceFile;
  readonly declaration: VariableDeclaration;
  /** Member → the name that the file exports it under. */
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

/**
 * The instance that a file should read sessions of.
 *
 * 1. That of the file which declares the options that the former call named.
 * 2. Else the only one of the application that exports `auth`; middleware has one of its own, which does not count.
 */
export function instanceFor({ project }: Application, options: SourceFile | undefined): AuthInstance | undefined {
  const own = options === undefined ? undefined : instancesOf(options).find(({ members }) => members.has("auth"));
  if (own !== undefined) return own;
  const all = project.getSourceFiles().flatMap(instancesOf);
  const exported = all.filter(({ declaration, members }) => members.has("auth") && declaration.isExported());
  return exported.length === 1 ? exported[0] : undefined;
}

/** `{ handlers, auth }` as a binding that takes no name of the file twice. */
export function freshBinding(file: SourceFile): {
  readonly handlers: string;
  readonly auth: string;
  readonly text: string;
} {
  const pick = (member: string, other: string) => (hasName(file, member) ? other : member);
  const [handlers, auth] = [pick("handlers", "authHandlers"), pick("auth", "readSession")];
  const element = (member: string, name: string) => (member === name ? name : `${member}: ${name}`);
  return { handlers, auth, text: `{ ${element("handlers", handlers)}, ${element("auth", auth)} }` };
}
