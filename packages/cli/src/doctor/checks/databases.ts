import { type CallExpression, Node, type SourceFile, SyntaxKind } from "ts-morph";
import { type Check, type Facts, placeOf, type StoredAddress } from "../facts.ts";

const imports = (file: SourceFile, pattern: RegExp): boolean =>
  file.getImportDeclarations().some((declaration) => pattern.test(declaration.getModuleSpecifierValue()));

const sourcesWith = ({ project }: Facts, pattern: RegExp): readonly SourceFile[] =>
  project.getSourceFiles().filter((file) => imports(file, pattern));

const callsOf = (file: SourceFile, name: string): readonly CallExpression[] =>
  file.getDescendantsOfKind(SyntaxKind.CallExpression).filter((call) => {
    const called = call.getExpression();
    return (Node.isPropertyAccessExpression(called) ? called.getName() : called.getText()) === name;
  });

/** Users whose addresses are equal in lower case. */
function twinsOf(addresses: readonly StoredAddress[]): readonly (readonly StoredAddress[])[] {
  const groups = new Map<string, StoredAddress[]>();
  for (const one of addresses) {
    const key = one.email.toLowerCase();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** Checks of the connections to a database, and of what it stores (docs/database.md). */
export const databaseChecks: Readonly<Record<string, Check>> = {
  "database-unreachable": ({ database }) =>
    database?.refusal === undefined
      ? []
      : [
          {
            where: database.where,
            what: `could not be read: ${database.refusal}`,
            remedy: "Check the address, the table of users, and that the application has installed `pg` or `mysql2`.",
          },
        ],
  "address-twins": ({ database }) =>
    twinsOf(database?.addresses ?? [])
      .filter((users) => users.length > 1)
      .map((users) => ({
        where: database?.where ?? "",
        what: `the addresses of the users ${users.map(({ id }) => id).join(", ")} differ in case alone`,
        remedy: "Change or remove all but one of them: no one can sign in with them (docs/database.md#addresses).",
      })),
  "address-capitals": ({ database }) =>
    twinsOf(database?.addresses ?? [])
      .filter((users) => users.length === 1)
      .flat()
      .map(({ id }) => ({
        where: database?.where ?? "",
        what: `the address of the user ${id} has capitals`,
        remedy:
          "Store it in lower case: adapters of npm do not find it in another spelling (docs/database.md#addresses).",
      })),
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
