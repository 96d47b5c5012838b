import Link from "next/link";

export default function NotFound() {
  return (
    <section className="message card">
      <h1>Nothing here</h1>
      <p className="lead">There is no such page.</p>
      <p className="actions">
        <Link className="button main" href="/">
          Go to the first page
        </Link>
      </p>
    </section>
  );
}
