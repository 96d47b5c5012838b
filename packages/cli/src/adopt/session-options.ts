import { type CallExpression, Node, type SourceFile } from "ts-morph";
import type { Application } from "./application.ts";
import { namedOptions } from "./former-handler.ts";
import { callsOf, findImport } from "./former-import.ts";

const NAMES = ["getServerSession", "unstable_getServerSession"];

/** Options of NextAuth v4 that are a constant of the application. */
export interface SessionOptions {
  readonly file: SourceFile;
  readonly name: string;
}

/**
 * The constant with which the application reads sessions by `getServerSession()`; undefined without one, or with more
 * than one. A route of the App Router may export nothing else, so that a constant in one is left out.
 */
export function sessionOptions(application: Application): SessionOptions | undefined {
  const [first, ...others] = application.project.getSourceFiles().flatMap((file) =>
    NAMES.flatMap((name) => {
      const imported = findImport(file, ["next-auth", "next-auth/next"], name);
      return (imported === undefined ? [] : callsOf(file, imported.local)).flatMap((call) =>
        optionsOf(application, call),
      );
    }),
  );
  const isOnly = others.every(({ file, name }) => file === first?.file && name === first.name);
  return first !== undefined && isOnly && !/\/route\.\w+$/.test(first.file.getFilePath()) ? first : undefined;
}

function optionsOf(application: Application, call: CallExpression): readonly SessionOptions[] {
  const file = call.getSourceFile();
  const last = call.getArguments().at(-1);
  const options = Node.isIdentifier(last) ? namedOptions(application, file, last) : undefined;
  if (options?.kind === "imported") return [{ file: options.file, name: options.name }];
  return options?.kind === "local" && file.getVariableDeclaration(options.name) !== undefined
    ? [{ file, name: options.name }]
    : [];
}
