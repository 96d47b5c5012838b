import Link from "next/link";

export default function NotFound() {
  return (
    <section className="message card">
      <h1>Page not found</h1>
      <p className="lead">This page does not exist.</p>
      <p className="actions">
        <Link className="button main" href="/">
          Go to the start page
        </Link>
      </p>
    </section>
  );
}
