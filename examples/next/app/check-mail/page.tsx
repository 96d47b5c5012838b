import type { Metadata } from "next";
import Link from "next/link";

export const metadata: Metadata = { title: "Check your e-mail" };

export default function Page() {
  return (
    <section className="message card">
      <h1>Check your e-mail</h1>
      <p className="lead">
        We’ve sent you a sign-in link. It works once, for 24 hours; in this browser it signs you in directly.
      </p>
      <p className="actions">
        <Link className="button main" href="/inbox">
          Open the demo’s inbox
        </Link>
      </p>
    </section>
  );
}
