import type { Metadata } from "next";
import Link from "next/link";

export const metadata: Metadata = { title: "Check your e-mail" };

export default function Page() {
  return (
    <section className="message card">
      <h1>Check your e-mail</h1>
      <p className="lead">
        A link is on its way to you. It works once, for a day, and signs you in at once in this browser.
      </p>
      <p className="actions">
        <Link className="button main" href="/inbox">
          Open the demo’s inbox
        </Link>
      </p>
    </section>
  );
}
