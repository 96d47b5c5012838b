import { isSecureUrl } from "@cardea/core/operations";
import { Node, SyntaxKind } from "ts-morph";
import { valueNamed } from "../../adopt/object-literals.ts";
import { parseUrl } from "../../parse-url.ts";
import { type Check, type Facts, placeOf } from "../facts.ts";
import { findLimitedColumns } from "./token-columns.ts";

/** The calls that configure an extension, such as `vault({ … })`. */
function callsOf({ configurations }: Pick<Facts, "configurations">, name: string): readonly Node[] {
  return configurations.flatMap(({ literals }) =>
    literals.flatMap((literal) => {
      const list = valueNamed(literal, "extensions");
      const calls = list?.getDescendantsOfKind(SyntaxKind.CallExpression) ?? [];
      return calls.filter((call) => call.getExpression().getText() === name);
    }),
  );
}

/** Whether `logout()` is configured. */
export function hasLogout(facts: Facts): boolean {
  return callsOf(facts, "logout").length > 0;
}

/** The extensions that check sessions, by the call that configures each. A reader without one denies access. */
const CHECKING = ["sessions", "secondFactor"] as const;

/** Calls of what reads a token alone, and configurations that lack an extension of another one. */
function findLackingReaders(facts: Facts, name: (typeof CHECKING)[number]): readonly Node[] {
  const owners = facts.configurations.filter((one) => callsOf({ configurations: [one] }, name).length > 0);
  if (owners.length === 0) return [];
  const readers = facts.project.getSourceFiles().flatMap((file) => {
    const imported = file
      .getImportDeclarations()
      .flatMap((one) =>
        /^@cardea\/(?:\w+\/jwt|bridge-authjs\/middleware)$/.test(one.getModuleSpecifierValue())
          ? one.getNamedImports().filter((named) => ["getToken", "withAuth"].includes(named.getName()))
          : [],
      );
    const names = imported.map((named) => (named.getAliasNode() ?? named.getNameNode()).getText());
    const calls = names.length === 0 ? [] : file.getDescendantsOfKind(SyntaxKind.CallExpression);
    return calls.filter((call) => names.includes(call.getExpression().getText()));
  });
  return [...readers, ...facts.configurations.filter((one) => !owners.includes(one)).map(({ call }) => call)];
}

const isOrigin = (text: string): boolean => {
  const url = parseUrl(text);
  return url !== null && isSecureUrl(text) && url.origin === text.replace(/\/$/, "");
};

/** Checks of provider tokens and logout. */
export const extensionChecks: Readonly<Record<string, Check>> = {
  "vault-columns": (facts) =>
    callsOf(facts, "vault").length === 0
      ? []
      : findLimitedColumns(facts.files).map(({ path, line }) => ({
          where: `${path.slice(1)}:${line}`,
          what: "limits the length of a token column, and encrypted tokens are longer than the provider's",
          remedy: "Change the column to TEXT. Until then, these tokens go to the store or are lost.",
        })),
  "session-reader": (facts) =>
    CHECKING.flatMap((name) =>
      findLackingReaders(facts, name).map((node) => ({
        where: placeOf(node),
        what: `reads sessions without ${name}(), which checks them, and denies access to each that was issued with it`,
        remedy: "Call `auth()` of the configuration with all extensions (docs/sessions.md#readers).",
      })),
    ),
  "vault-api": (facts) =>
    callsOf(facts, "vault").flatMap((call) =>
      call
        .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
        .filter((member) => member.getName() === "apis")
        .flatMap((member) => member.getDescendantsOfKind(SyntaxKind.StringLiteral))
        .filter((literal) => Node.isStringLiteral(literal) && !isOrigin(literal.getLiteralValue()))
        .map((literal) => ({
          where: placeOf(literal),
          what: `${literal.getText()} is not an origin that tokens may be sent to`,
          remedy: 'Use only the origin, such as "https://www.googleapis.com".',
        })),
    ),
  "post-logout-uri": ({ probe }) =>
    [...(probe?.endings ?? [])].flatMap(([issuer, { uri, without, returning }]) =>
      without !== undefined && without.status < 400 && returning !== undefined && returning.status >= 400
        ? [
            {
              where: issuer,
              what: `rejects the post-logout redirect URI ${uri}`,
              remedy: "Register exactly this URI with the provider (docs/sign-out-everywhere.md).",
            },
          ]
        : [],
    ),
};
