import type { Seconds, Tools } from "@cardea/extend";
import type { AccountMailKind, Settings } from "./options.ts";
import { dayOf, fill } from "./texts.ts";

/** A message, with the values of its text. */
export interface Message {
  readonly kind: AccountMailKind;
  /** Null or empty: no message is sent. */
  readonly to: string | null;
  /** URL of the actions. */
  readonly baseUrl: string;
  readonly url?: string | undefined;
  readonly address?: string | undefined;
  readonly what?: string | undefined;
  readonly date?: Date | undefined;
}

/** Sends a message after the response, so that the response time does not reveal whether one is sent. Failures are logged. */
export function sendLater(settings: Settings, t: Tools, message: Message): void {
  const { mail, texts, after } = settings;
  const { kind, to, baseUrl, url, address = "", what = "", date } = message;
  if (mail === undefined || to === null || to === "") return;
  const { subject, text } = texts.mails[kind];
  const day = date === undefined ? "" : dayOf(date);
  const values = { host: new URL(baseUrl).host, url: url ?? `${baseUrl}/account`, address, what, date: day };
  const work = async () => {
    try {
      await mail({ kind, to, subject: fill(subject, values), text: fill(text, values), url });
    } catch (error) {
      t.logger.error(new Error("A message could not be sent: `mail` of account() failed.", { cause: error }));
    }
  };
  after(work());
}

/** The maximum number of links that one user, and one address, is sent per interval. */
const MAX_MAILS = 5;
const INTERVAL: Seconds = 600;

/** Counts a request for links; returns whether it may be sent. @throws errors of the store. */
export async function mayMail(t: Tools, userId: string, address: string): Promise<boolean> {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const keys = [await t.key("mails", userId), await t.key("mails-to", `${local.split("+")[0]}@${domain}`)];
  const counts = await Promise.all(keys.map((key) => t.store?.add(key, 1, { ttl: INTERVAL })));
  return counts.every((count) => (count?.value ?? 1) <= MAX_MAILS);
}
