import { Node } from "ts-morph";
import { valueNamed } from "../adopt/object-literals.ts";
import type { FoundConfiguration } from "../doctor/facts.ts";

/** The tables of Cardea, by model name, in order of creation. */
export const TABLES = [
  "User",
  "Account",
  "Session",
  "VerificationToken",
  "Authenticator",
  "SessionInfo",
  "Credential",
  "State",
  "StateLog",
] as const;

/** The name of a table. */
export type TableName = (typeof TABLES)[number];

/** Tables required by each function in a configuration, in addition to users and accounts. */
const NEEDED_BY: Readonly<Record<string, readonly TableName[]>> = {
  "@cardea/providers-email": ["VerificationToken"],
  "@cardea/providers-webauthn": ["VerificationToken", "Authenticator"],
  "@cardea/providers-password": ["VerificationToken", "Credential", "State", "StateLog"],
  "@cardea/sessions": ["SessionInfo", "State", "StateLog"],
  "@cardea/logout": ["SessionInfo", "State", "StateLog"],
  "@cardea/account": ["SessionInfo", "State", "StateLog"],
  "@cardea/attempts": ["State", "StateLog"],
  "@cardea/second-factor": ["SessionInfo", "Credential", "State", "StateLog"],
  "@cardea/step-up": ["SessionInfo", "State", "StateLog"],
  "@cardea/vault": ["SessionInfo", "State", "StateLog"],
};

/** A table, and why it is needed. */
export interface NeededTable {
  readonly name: TableName;
  readonly reason: string;
}

/**
 * The tables that configurations need, according to their source code.
 *
 * @param packageOf Returns the package that a call's function is imported from.
 */
export function neededTables(
  configurations: readonly FoundConfiguration[],
  packageOf: (called: Node) => string | undefined,
): readonly NeededTable[] {
  const reasons = new Map<TableName, string>([
    ["User", "every adapter"],
    ["Account", "every adapter"],
  ]);
  const note = (name: TableName, reason: string) => reasons.set(name, reasons.get(name) ?? reason);
  for (const { literals } of configurations) {
    const option = (name: string) => literals.map((literal) => valueNamed(literal, name)).find(Boolean);
    if (!/strategy["']?\s*:\s*["']jwt["']/.test(option("session")?.getText() ?? "")) {
      note("Session", "database sessions");
    }
    const hasStore = option("store") !== undefined;
    for (const called of [...calledIn(option("providers")), ...calledIn(option("extensions"))]) {
      const from = packageOf(called);
      for (const name of NEEDED_BY[from ?? ""] ?? []) {
        const isStore = name === "State" || name === "StateLog";
        if (!isStore || !hasStore) note(name, `${called.getText()} from ${from}`);
      }
    }
  }
  return TABLES.flatMap((name) => {
    const reason = reasons.get(name);
    return reason === undefined ? [] : [{ name, reason }];
  });
}

/** The functions in a list: `Email({ … })`, `sessions()`, `GitHub`. */
function calledIn(list: Node | undefined): readonly Node[] {
  if (!Node.isArrayLiteralExpression(list)) return [];
  return list
    .getElements()
    .map((element) => (Node.isSpreadElement(element) ? element.getExpression() : element))
    .map((element) => (Node.isCallExpression(element) ? element.getExpression() : element));
}
