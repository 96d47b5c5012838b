import type { Metadata } from "next";
import Link from "next/link";
import { type Mail, readMails } from "@/lib/inbox";

export const metadata: Metadata = { title: "Inbox" };

export const dynamic = "force-dynamic";

export default async function Page() {
  const mails = await readMails();
  return (
    <section className="inbox">
      <h1>Inbox</h1>
      <p className="lead">
        The demo does not deliver e-mails: all of them appear here. To simulate another device, copy a link into a
        private window.
      </p>
      {mails.length === 0 ? (
        <p className="card none">
          No e-mails yet. Request a link on the <Link href="/sign-in?callbackUrl=/members">sign-in page</Link>.
        </p>
      ) : (
        <ol className="mails" reversed>
          {mails.map((mail) => (
            <li className="card" key={mail.text}>
              <Letter mail={mail} />
            </li>
          ))}
        </ol>
      )}
      <p className="actions">
        <a className="button" href="/inbox">
          Reload
        </a>
      </p>
    </section>
  );
}

function Letter({ mail }: { readonly mail: Mail }) {
  const parts = mail.text.trim().split(/(https?:\/\/\S+)/);
  return (
    <>
      <h2>{mail.subject}</h2>
      <dl className="facts">
        <div>
          <dt>To</dt>
          <dd>{mail.to.join(", ")}</dd>
        </div>
        <div>
          <dt>At</dt>
          <dd>
            <time dateTime={mail.receivedAt}>{mail.receivedAt.slice(11, 19)} UTC</time>
          </dd>
        </div>
      </dl>
      <p className="text">
        {parts.map((part, index) =>
          index % 2 === 0 ? (
            part
          ) : (
            <a key={part} href={part}>
              {part}
            </a>
          ),
        )}
      </p>
    </>
  );
}
