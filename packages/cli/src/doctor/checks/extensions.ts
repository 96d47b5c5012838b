import { isSecureUrl } from "@cardea/core/extend";
import { Node, SyntaxKind } from "ts-morph";
import { valueNamed } from "../../adopt/object-literals.ts";
import { parseUrl } from "../../parse-url.ts";
import { type Check, type Facts, placeOf } from "../facts.ts";
import { findLimitedColumns } from "./token-columns.ts";

/** The calls that configure an extension, such as `vault({ … })`. */
function callsOf({ configurations }: Facts, name: string): readonly Node[] {
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
