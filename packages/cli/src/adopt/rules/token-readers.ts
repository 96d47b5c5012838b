import { Node, type ObjectLiteralExpression, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { usesOfExport } from "../export-uses.ts";
import { afterLastMember, nameOf, objectIn, propertyNamed, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";
import { BRIDGE, isBridged } from "./bridge.ts";

const TOKENS = ["@cardea/next/jwt", "@cardea/core/jwt"];

/** The default name of the former session cookie, in any of its spellings. */
const FORMER_COOKIE = /^(?:__(?:Secure|Host)-)?(?:next-auth|authjs)\.session-token$/;

/**
 * Code that reads session tokens without a configuration:
 *
 * 1. `getToken()` is given the bridge, so that it reads former sessions, and former API keys in the header `Authorization`.
 * 2. With the default name of the former cookie as `cookieName`, that name moves into the bridge. Any other name is reported: it may be
 *    the session of another configuration, or a token of the application.
 * 3. Parameters that cannot be read, and may name another cookie, are reported and not bridged.
 * 4. `decode()` reads tokens of Cardea only, and `encode()` makes them.
 */
export function moveTokenReaders(application: Application): Draft {
  const draft = new Draft();
  const uses = (name: string) => usesOfExport(application, { from: TOKENS, names: [name] });
  for (const use of uses("getToken")) bridgeUse(draft, application, use);
  for (const use of uses("decode")) {
    draft.note(
      "left",
      use,
      `\`decode()\` does not read tokens of ${application.former}, such as sessions and API keys`,
      `call \`getToken()\` with \`${memberOf(application, use.getSourceFile())}\` instead, and with the token in a header: \`req: { headers: { authorization: "Bearer …" } }\``,
    );
  }
  for (const use of uses("encode")) {
    const why = `\`getToken()\` and \`decode()\` of Cardea read them, with the same secret and salt; other services that read them with ${application.former} do not`;
    draft.note("look", use, "`encode()` makes tokens of Cardea", why);
  }
  return draft;
}

function memberOf({ former }: Application, file: SourceFile, cookie?: string): string {
  const { quote } = styleOf(file.getFullText());
  const format = `${quote}${former}${quote}`;
  return `extensions: [bridge({ accept: [${cookie === undefined ? format : `{ format: ${format}, cookie: ${cookie} }`}] })]`;
}

function bridgeUse(draft: Draft, application: Application, use: Node): void {
  const { former } = application;
  const file = use.getSourceFile();
  const call = use.getParent();
  const [given] = Node.isCallExpression(call) && call.getExpression() === use ? call.getArguments() : [];
  if (given === undefined || !Node.isCallExpression(call)) {
    const how = `add \`${memberOf(application, file)}\` to its parameters`;
    draft.note("left", use, `\`getToken()\` may not read sessions of ${former}`, how);
    return;
  }
  const options = objectIn(given);
  const hidden = hiddenPart(application, given);
  if (hidden !== undefined) {
    const why = adviceOf(application, file, options);
    draft.note("left", hidden, "`getToken()` with parameters that may name a cookie, salt or `decode`", why);
    return;
  }
  if (options === undefined) {
    draft.insert(file, given.getStart(), `{ ${memberOf(application, file)}, ...`);
    draft.insert(file, given.getEnd(), " }");
  } else if (isBridged(options)) return;
  else if (/\b(?:cookieName|salt|decode)\b/.test(options.getText())) {
    const cookie = formerCookieOf(options);
    if (cookie === undefined) {
      draft.note(
        "left",
        call,
        "`getToken()` with a custom cookie, salt or `decode`",
        adviceOf(application, file, options),
      );
      return;
    }
    moveCookieName(draft, options, memberOf(application, file, cookie));
  } else {
    const { at, text } = afterLastMember(options, memberOf(application, file));
    draft.insert(file, at, text);
  }
  draft.import(file, BRIDGE, "bridge");
  draft.added.add(BRIDGE);
  draft.note("changed", call, `\`getToken()\` reads sessions of ${former}`);
}

const FORMAT = /^(?:cookieName|salt|decode)$/;

/** A part of the parameters, outside their literal, that names another cookie or format, or that may do so. */
function hiddenPart(application: Application, given: Node): Node | undefined {
  const { literals, unread } = partsOf(application, given);
  const own = objectIn(given);
  const members = literals.flatMap((literal) =>
    literal.getProperties().flatMap((one) => {
      const name = Node.isSpreadAssignment(one) ? "" : nameOf(one);
      const isFormat = literal !== own && FORMAT.test(name ?? "");
      return name === undefined || isFormat ? [one] : [];
    }),
  );
  return members[0] ?? unread[0];
}

/** The value of `cookieName`, if all its texts are default names and `salt`, if there is one, is the same. */
function formerCookieOf(options: ObjectLiteralExpression): string | undefined {
  const cookie = valueNamed(options, "cookieName");
  const salt = propertyNamed(options, "salt");
  const isPlain = options.getProperties().every((one) => Node.isPropertyAssignment(one) || nameOf(one) === "req");
  if (cookie === undefined || propertyNamed(options, "decode") !== undefined || !isPlain) return undefined;
  if (salt !== undefined && valueNamed(options, "salt")?.getText() !== cookie.getText()) return undefined;
  const texts = Node.isConditionalExpression(cookie) ? [cookie.getWhenTrue(), cookie.getWhenFalse()] : [cookie];
  const isDefault = texts.every((one) => Node.isStringLiteral(one) && FORMER_COOKIE.test(one.getLiteralValue()));
  return isDefault ? cookie.getText() : undefined;
}

function moveCookieName(draft: Draft, options: ObjectLiteralExpression, member: string): void {
  const name = propertyNamed(options, "cookieName");
  if (name !== undefined) draft.replace(name, member);
  const salt = propertyNamed(options, "salt");
  if (salt === undefined) return;
  const source = options.getSourceFile().getFullText();
  const before = /,\s*$/.exec(source.slice(0, salt.getStart()))?.[0].length ?? 0;
  const after = before > 0 ? 0 : (/^\s*,\s*/.exec(source.slice(salt.getEnd()))?.[0].length ?? 0);
  draft.editText(options.getSourceFile().getFilePath(), salt.getStart() - before, salt.getEnd() + after, "");
}

/** Without the bridge, the sessions that the application has end; without `cookies`, those of another configuration would be read. */
function adviceOf(application: Application, file: SourceFile, options: ObjectLiteralExpression | undefined): string {
  const cookie = (options && valueNamed(options, "cookieName"))?.getText() ?? "…";
  const bridged = memberOf(application, file, cookie);
  return `for the sessions of a configuration: replace \`cookieName\` and \`salt\` by \`cookies\` of that configuration and \`${bridged}\`, so that its users stay signed in. For another token of your own: keep \`cookieName\`; tokens that exist are not read`;
}
