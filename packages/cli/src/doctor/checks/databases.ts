import { type CallExpression, Node, type SourceFile, SyntaxKind } from "ts-morph";
import { type Check, type Facts, placeOf } from "../facts.ts";

const imports = (file: SourceFile, pattern: RegExp): boolean =>
  file.getImportDeclarations().some((declaration) => pattern.test(declaration.getModuleSpecifierValue()));

const sourcesWith = ({ project }: Facts, pattern: RegExp): readonly SourceFile[] =>
  project.getSourceFiles().filter((file) => imports(file, pattern));

const callsOf = (file: SourceFile, name: string): readonly CallExpression[] =>
  file.getDescendantsOfKind(SyntaxKind.CallExpression).filter((call) => {
    const called = call.getExpression();
    return (Node.isPropertyAccessExpression(called) ? called.getName() : called.getText()) === name;
  });

/** Checks of the connections to a database (docs/database.md#connections). */
export const databaseChecks: Readonly<Record<string, Check>> = {
  "pool-listener": (facts) => {
    const isHandled = facts.project
      .getSourceFiles()
      .some((file) => /\.on\(\s*["'`]error["'`]/.test(file.getFullText()));
    if (isHandled) return [];
    return sourcesWith(facts, /^pg$/).flatMap((file) =>
      file
        .getDescendantsOfKind(SyntaxKind.NewExpression)
        .filter((made) => /(?:^|\.)Pool$/.test(made.getExpression().getText()))
        .map((made) => ({
          where: placeOf(made),
          what: "creates a pool without a listener for errors, so that a restart of the database ends the process",
          remedy: 'Add `pool.on("error", …)` and a listener for each connection (docs/database.md#connections).',
        })),
    );
  },
  "pool-time-zone": (facts) =>
    sourcesWith(facts, /^mysql2(?:\/promise)?$/).flatMap((file) =>
      ["createPool", "createConnection"]
        .flatMap((name) => callsOf(file, name))
        .filter((call) => !/\btimezone\b/.test(call.getText()))
        .map((call) => ({
          where: placeOf(call),
          what: "writes times in the zone of the server: links expire early in the hour that is repeated in autumn",
          remedy: 'Pass `timezone: "Z"` (docs/database.md#connections).',
        })),
    ),
};
