import { randomBytes } from "node:crypto";
import { eolOf } from "../adopt/source-style.ts";

/** Random bytes of a secret, the length of the derived keys. */
const SECRET_BYTES = 32;

/** The current and previous secrets. */
const NAMES = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"] as const;

/** Read in place of `AUTH_SECRET` if that is not set. */
const ALIAS = "NEXTAUTH_SECRET";

/** An assignment as `.env` files have them: with `export`, spaces, quotes that may enclose several lines, and a comment. */
const ASSIGNMENT =
  /^[ \t]*(export[ \t]+)?(AUTH_SECRET(?:_[123])?|NEXTAUTH_SECRET)[ \t]*=[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n]*?)([ \t]*(?:#[^\r\n]*)?)(?:\r?\n|$)/gm;

/** A new secret. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** The result of a rotation. */
export interface Rotation {
  readonly text: string;
  /** The number of previous secrets still accepted. */
  readonly former: number;
  /** Whether the oldest secret was removed, because at most three previous secrets are read. */
  readonly isOldestDropped: boolean;
}

/**
 * Puts a new secret first, followed by the previous ones as they are written. All other lines are unchanged. Of several
 * assignments of a name, the last one is in effect.
 */
export function rotateSecret(text: string, secret: string): Rotation {
  const eol = eolOf(text);
  const found = [...text.matchAll(ASSIGNMENT)].map(
    ({ index, 0: line, 1: before = "", 2: name = "", 3: value = "", 4: after = "" }) => {
      return { index, line, before, name, value, after };
    },
  );
  const own = found.filter(({ name }) => name !== ALIAS);
  const valuesNamed = (name: string) => {
    const { value = "", after = "" } = found.findLast((one) => one.name === name) ?? {};
    return /^(?:""|''|``)?$/.test(value) ? [] : [value + after];
  };
  const current = valuesNamed("AUTH_SECRET");
  const values = [...(current.length > 0 ? current : valuesNamed(ALIAS)), ...NAMES.slice(1).flatMap(valuesNamed)];
  const kept = values.slice(0, NAMES.length - 1);
  const before = own[0]?.before ?? "";
  const lines = [secret, ...kept].map((value, index) => `${before}${NAMES[index]}=${value}`);
  let others = "";
  let [end, at] = [0, 0];
  for (const { index, line } of own) {
    others += text.slice(end, index);
    if (index === own[0]?.index) at = others.length;
    end = index + line.length;
  }
  others += text.slice(end);
  if (own.length === 0) at = others.length;
  const lead = at > 0 && !others.slice(0, at).endsWith("\n") ? eol : "";
  return {
    text: others.slice(0, at) + lead + lines.join(eol) + eol + others.slice(at),
    former: kept.length,
    isOldestDropped: values.length > kept.length,
  };
}
