import { Node, type ObjectLiteralExpression, SyntaxKind } from "ts-morph";
import { propertyNamed, valueNamed } from "../../adopt/object-literals.ts";
import { parseUrl } from "../../parse-url.ts";
import { importedFrom } from "../../schema/imported-from.ts";
import { type Check, type Facts, type ProbedResponse, placeOf } from "../facts.ts";

/** The calls that configure passkeys, such as `Passkey({ … })`. */
function passkeyCalls({ project }: Pick<Facts, "project">): readonly Node[] {
  return project
    .getSourceFiles()
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.CallExpression))
    .filter((call) => importedFrom(call.getExpression()) === "@cardea/providers-webauthn");
}

/** Columns for names and times of passkeys, which tables made for Auth.js lack. */
const COLUMNS = ["name", "createdAt", "usedAt"] as const;

/** Tables of passkeys in Prisma and Drizzle schemas, with the columns that each lacks. */
function findTables({
  files,
  project,
}: Facts): readonly { readonly where: string; readonly missing: readonly string[] }[] {
  const models = [...files].flatMap(([path, text]) => {
    const body = path.endsWith(".prisma") ? /^model\s+Authenticator\s*\{([\s\S]*?)^\}/m.exec(text)?.[1] : undefined;
    const lacks = (name: string) => !new RegExp(`^\\s*${name}\\s`, "m").test(body ?? "");
    return body === undefined ? [] : [{ where: path.slice(1), missing: COLUMNS.filter(lacks) }];
  });
  const isTable = (literal: ObjectLiteralExpression) =>
    Node.isCallExpression(literal.getParent()) &&
    ["credentialID", "credentialPublicKey", "counter"].every((name) => propertyNamed(literal, name) !== undefined);
  const tables = project
    .getSourceFiles()
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression))
    .filter((literal) => isTable(literal) && /^\w*[tT]able$/.test(nameOfCall(literal)))
    .map((literal) => ({
      where: placeOf(literal),
      missing: COLUMNS.filter((name) => propertyNamed(literal, name) === undefined),
    }));
  // The tables of the adapters' packages have the columns if an option says so.
  const made = project
    .getSourceFiles()
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.CallExpression))
    .filter((call) => MAKERS.test(call.getExpression().getText()) && !/\bpasskeyNames\b/.test(call.getText()))
    .map((call) => ({ where: placeOf(call), missing: COLUMNS }));
  return [...models, ...tables, ...made];
}

const MAKERS = /^(?:postgresTables|mysqlTables|sqliteTables|KyselyAdapter)$/;

function nameOfCall(literal: ObjectLiteralExpression): string {
  const call = literal.getParent();
  return Node.isCallExpression(call) ? (call.getExpression().getText().split(".").at(-1) ?? "") : "";
}

/** A relying party whose passkeys are used on other domains (WebAuthn L3 §5.11). */
interface RelatedOrigins {
  readonly node: Node;
  readonly id: string;
  /** Origins that are not those of the id or of its subdomains. */
  readonly others: readonly string[];
}

/** Only ids and origins that the source code spells. */
function findRelated(facts: Pick<Facts, "project">): readonly RelatedOrigins[] {
  const textsIn = (node: Node | undefined) =>
    node === undefined
      ? []
      : [node, ...node.getDescendants()].flatMap((one) => (Node.isStringLiteral(one) ? [one.getLiteralValue()] : []));
  return passkeyCalls(facts).flatMap((call) => {
    const options = Node.isCallExpression(call) ? call.getArguments()[0] : undefined;
    const party = Node.isObjectLiteralExpression(options) ? valueNamed(options, "relayingParty") : undefined;
    if (!Node.isObjectLiteralExpression(party)) return [];
    const [id, second] = textsIn(valueNamed(party, "id"));
    if (id === undefined || second !== undefined) return [];
    const isOwn = (host: string) => host === id || host.endsWith(`.${id}`);
    const others = textsIn(valueNamed(party, "origin")).filter((origin) => {
      const url = parseUrl(origin);
      return /^https?:/.test(origin) && url !== null && !isOwn(url.hostname);
    });
    return others.length === 0 ? [] : [{ node: call, id, others }];
  });
}

/** Whether passkeys are used on several domains. */
export function hasRelatedOrigins(facts: Facts): boolean {
  return findRelated(facts).length > 0;
}

/** What is wrong with a response to `/.well-known/webauthn`; undefined if browsers accept it. */
function faultOf(response: ProbedResponse | undefined, others: readonly string[]): string | undefined {
  if (response === undefined) return "there is no response";
  if (response.status !== 200) return `the status is ${response.status}`;
  const type = response.headers.get("content-type") ?? "none";
  if (!/^application\/json\b/i.test(type)) return `the content type is ${type}`;
  const origins = originsIn(response.text);
  const missing = others.filter((one) => !origins.includes(one));
  return missing.length === 0 ? undefined : `it does not list ${missing.join(", ")}`;
}

function originsIn(text: string): readonly unknown[] {
  try {
    const { origins }: { readonly origins?: unknown } = Object(JSON.parse(text));
    return Array.isArray(origins) ? origins : [];
  } catch {
    return [];
  }
}

/** Checks of passkeys (docs/passkeys.md). */
export const passkeyChecks: Readonly<Record<string, Check>> = {
  "passkey-columns": (facts) =>
    passkeyCalls(facts).length === 0
      ? []
      : findTables(facts)
          .filter(({ missing }) => missing.length > 0)
          .map(({ where, missing }) => ({
            where,
            what: `the table of passkeys lacks ${missing.join(", ")}, so users cannot tell their passkeys apart`,
            remedy:
              "Add the columns, which may be null: `npx @cardea/cli schema` prints them. With Drizzle and Kysely, then set `passkeyNames: true` (docs/passkeys.md#names).",
          })),
  "passkey-related-origins": (facts) =>
    facts.probe === undefined
      ? []
      : findRelated(facts).flatMap(({ node, id, others }) => {
          const fault = faultOf(facts.probe?.relatedOrigins, others);
          if (fault === undefined) return [];
          return [
            {
              where: placeOf(node),
              what: `browsers do not use the passkeys of ${id} on ${others.join(", ")}: at /.well-known/webauthn, ${fault}`,
              remedy: `Serve \`relatedOrigins()\` at https://${id}/.well-known/webauthn (docs/passkeys.md#several-domains).`,
            },
          ];
        }),
};
