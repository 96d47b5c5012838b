/** A mail that no one delivered, as far as the inbox shows it. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly receivedAt: string;
}

/** The mails of the demo, newest first. */
export async function readMails(): Promise<readonly Mail[]> {
  const url = process.env.DEMO_INBOX_URL;
  if (url === undefined) return [];
  const answer = await fetch(url, { cache: "no-store" });
  const mails: readonly Mail[] = await answer.json();
  return mails.toReversed();
}
