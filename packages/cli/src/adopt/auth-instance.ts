import { Node, type SourceFile, type VariableDeclaration } from "ts-morph";
import type { Application } from "./application.ts";
import { hasName } from "./identifiers.ts";

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

/**
 * The instance from which a file should read sessions.
 *
 * 1. The instance in the file that declares the options of the former call.
 * 2. Otherwise the only instance that exports `auth`, apart from that of middleware.
 */
export function instanceFor({ project }: Application, options: SourceFile | undefined): AuthInstance | undefined {
  const own = options === undefined ? undefined : instancesOf(options).find(({ members }) => members.has("auth"));
  if (own !== undefined) return own;
  const all = project.getSourceFiles().flatMap(instancesOf);
  const exported = all.filter(({ declaration, members }) => members.has("auth") && declaration.isExported());
  return exported.length === 1 ? exported[0] : undefined;
}

/** `{ handlers, auth }` as a destructuring pattern without name conflicts in the file. */
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
