import type { RequestTools } from "@cardea/core/extend";
import type { PasswordMail, Settings } from "./options.ts";
import { fill } from "./pages/texts.ts";
import { mayMail } from "./pending.ts";

/** Whether messages can be sent; where they cannot, nothing that needs one is offered. */
export function canMail({ mail }: Settings): boolean {
  return mail !== undefined;
}

/**
 * Sends a message after the answer, so that the answer does not tell by its time whether one is sent. What fails is logged.
 *
 * @param lifetime of its link, in seconds.
 */
export function sendLater(
  settings: Settings,
  t: RequestTools,
  { kind, to, url }: Pick<PasswordMail, "kind" | "to" | "url">,
  lifetime = 0,
): void {
  const { mail, texts, after } = settings;
  if (mail === undefined) return;
  const values = { host: new URL(t.origin).host, url: url ?? "", time: inWords(lifetime) };
  const { subject, text } = texts.mails[kind];
  const work = async () => {
    try {
      if (kind !== "changed" && !(await mayMail(t, to))) {
        t.logger.warn("password-mail-limit: an address got as many messages as it may; no further one was sent.");
        return;
      }
      await mail({ kind, to, url, subject: fill(subject, values), text: fill(text, values) });
    } catch (error) {
      t.logger.error(new Error("A message of Password() could not be sent: `mail` failed.", { cause: error }));
    }
  };
  after(work());
}

/** `24 hours`, `15 minutes`. */
function inWords(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const [amount, unit] = minutes >= 120 ? [Math.round(minutes / 60), "hour"] : [minutes, "minute"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
