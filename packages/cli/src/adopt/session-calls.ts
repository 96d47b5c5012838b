import { type Identifier, Node, type SourceFile, type VariableDeclaration } from "ts-morph";
import type { Application } from "./application.ts";
import { type FormerImport, findImport } from "./former-import.ts";
import { usesOf } from "./identifiers.ts";
import { constantOf } from "./resolve-value.ts";

const MODULES = ["next-auth", "next-auth/next"];
const NAMES = ["getServerSession", "unstable_getServerSession"] as const;

/** A use of `getServerSession` of NextAuth v4. */
export interface SessionCall {
  readonly file: SourceFile;
  readonly imported: FormerImport;
  readonly name: string;
  readonly use: Identifier;
  /** The constant with the options; undefined without options, or with others. */
  readonly options: VariableDeclaration | undefined;
}

/** Every use of `getServerSession()` in the application, with the options that it is given. */
export function sessionCalls(application: Application): readonly SessionCall[] {
  return application.project.getSourceFiles().flatMap((file) =>
    NAMES.flatMap((name) => {
      const imported = findImport(file, MODULES, name);
      if (imported === undefined) return [];
      return usesOf(file, imported.local).map((use) => {
        const given = argumentsOf(use)?.at(-1);
        const options = given && constantOf(application, given);
        return { file, imported, name, use, options };
      });
    }),
  );
}

/** The arguments of the call; undefined for a use that is not one. */
export function argumentsOf(use: Node): readonly Node[] | undefined {
  const call = use.getParent();
  return Node.isCallExpression(call) && call.getExpression() === use ? call.getArguments() : undefined;
}
