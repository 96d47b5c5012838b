import { randomBytes } from "node:crypto";
import { eolOf } from "../adopt/source-style.ts";

/** Random bytes of a secret, the length of the derived keys. */
const SECRET_BYTES = 32;

/** The current and previous secrets. */
const NAMES = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"] as const;

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

/** Puts a new secret first, followed by the previous ones. All other lines are unchanged. */
export function rotateSecret(text: string, secret: string): Rotation {
  const eol = eolOf(text);
  const values = NAMES.flatMap((name) => new RegExp(`^${name}=(.+?)\\r?$`, "m").exec(text)?.[1] ?? []);
  const kept = values.slice(0, NAMES.length - 1);
  const lines = [secret, ...kept].map((value, index) => `${NAMES[index]}=${value}`);
  const first = /^AUTH_SECRET(?:_[123])?=/m.exec(text);
  const others = text.replace(/^AUTH_SECRET(?:_[123])?=.*(?:\r?\n|$)/gm, "");
  const at =
    first === null
      ? others.length
      : others.length - text.slice(first.index).replace(/^AUTH_SECRET(?:_[123])?=.*(?:\r?\n|$)/gm, "").length;
  const lead = at > 0 && !others.slice(0, at).endsWith("\n") ? eol : "";
  return {
    text: others.slice(0, at) + lead + lines.join(eol) + eol + others.slice(at),
    former: kept.length,
    isOldestDropped: values.length > kept.length,
  };
}
