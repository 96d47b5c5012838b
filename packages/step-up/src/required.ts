import type { ResolvedLevel } from "./levels.ts";

/** Thrown if a recent proof is required: redirect the user to `url`. */
export class StepUpRequired extends Error {
  /** Same as `type`. */
  override readonly name = "StepUpRequired";
  /** The same in every installed copy of the package. */
  readonly type = "StepUpRequired";
  /** Name of the required level, as in `stepUp()`. */
  readonly level: string;
  /** URL of the page that requests the proof. */
  readonly url: string;
  /** Value of `WWW-Authenticate` for a 401 response (RFC 9470 §3). */
  readonly challenge: string;

  constructor(level: string, { within, acr }: ResolvedLevel, url: string) {
    super(`The level "${level}" requires a proof that is at most ${within} seconds old. Redirect the user to \`url\`.`);
    this.level = level;
    this.url = url;
    const classes = acr.length === 0 ? "" : `, acr_values="${acr.join(" ").replace(/["\\]/g, "\\$&")}"`;
    const description = 'error_description="Recent user authentication is required"';
    this.challenge = `Bearer error="insufficient_user_authentication", ${description}, max_age="${within}"${classes}`;
  }
}

/** The response body for programs. */
export function toBody({ url, level }: StepUpRequired) {
  return { error: "insufficient_user_authentication", level, url };
}
