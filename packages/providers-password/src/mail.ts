import type { RequestTools } from "@cardea/extend";
import type { PasswordMail, Settings } from "./options.ts";
import { fill } from "./pages/texts.ts";
import { mayMail } from "./pending.ts";

/** Whether messages can be sent. If not, features that need them are not offered. */
export function canMail({ mail }: Settings): boolean {
  return mail !== undefined;
}

/**
 * Sends a message after the response, so that the response time does not reveal whether one is sent. Failures are
 * logged.
 *
 * @param lifetime Lifetime of the link, in seconds.
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
      if (kind !== "changed" && !(await mayMail(t, to, kind === "reset" ? "reset" : "register"))) {
        t.logger.warn("password-mail-limit: an address has reached its message limit; no message was sent.");
        return;
      }
      await mail({ kind, to, url, subject: fill(subject, values), text: fill(text, values) });
    } catch (error) {
      t.logger.error(new Error("A message could not be sent: `mail` of Password() failed.", { cause: error }));
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
