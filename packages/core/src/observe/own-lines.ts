import { CSRF_MESSAGES } from "../model/csrf-messages.ts";
import { MissingCSRF } from "../model/errors.ts";

/**
 * Lines that are the same for every request: none of its values is in them, so none is looked for. Anyone can have them written as often
 * as they like, and collecting the values of a request takes longer than everything else that refusing a form does.
 */
const OWN_LINES: ReadonlySet<string> = new Set([lineOf("cross-site"), lineOf("stale")]);

function lineOf(reason: keyof typeof CSRF_MESSAGES): string {
  const { type, message } = new MissingCSRF(CSRF_MESSAGES[reason], reason);
  return `${type}: ${message}`;
}

/** Whether a line consists of text of the library alone. */
export const isOwnLine = (line: string): boolean => OWN_LINES.has(line);
