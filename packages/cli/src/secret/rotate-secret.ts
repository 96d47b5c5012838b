import { randomBytes } from "node:crypto";
import { eolOf } from "../adopt/source-style.ts";

/** Random bytes of a secret: as long as the keys that are derived from it. */
const SECRET_BYTES = 32;

/** Former secrets that are read besides `AUTH_SECRET`. */
const NAMES = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"] as const;

/** A new secret. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** The text of an environment file after a rotation. */
export interface Rotation {
  readonly text: string;
  /** How many former secrets are still read. */
  readonly former: number;
  /** Whether the oldest secret was dropped, because three former ones are read at most. */
  readonly isOldestDropped: boolean;
}

/** Puts a new secret first, and the former ones behind it. Every other line keeps its bytes. */
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
