import type { ResolvedLevel } from "./levels.ts";

/** A fresh proof is missing: send the user to `url`. */
export class StepUpRequired extends Error {
  override readonly name = "StepUpRequired";
  /** The same in every installed copy of the package. */
  readonly type = "StepUpRequired";
  readonly level: string;
  /** The page that asks for the proof. */
  readonly url: string;
  /** `WWW-Authenticate` of an answer with 401 (RFC 9470 §3). */
  readonly challenge: string;

  constructor(level: string, { within, acr }: ResolvedLevel, url: string) {
    super(`The level "${level}" needs a proof that is at most ${within} seconds old. Send the user to \`url\`.`);
    this.level = level;
    this.url = url;
    const classes = acr.length === 0 ? "" : `, acr_values="${acr.join(" ").replace(/["\\]/g, "\\$&")}"`;
    const description = 'error_description="A fresh proof of the user is required"';
    this.challenge = `Bearer error="insufficient_user_authentication", ${description}, max_age="${within}"${classes}`;
  }
}

/** What a program gets in place of the action. */
export function toBody({ url, level }: StepUpRequired) {
  return { error: "insufficient_user_authentication", level, url };
}
