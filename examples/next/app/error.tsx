"use client";

/** What went wrong is in the log of the server; a visitor learns that it is worth trying again. */
export default function ErrorPage({ reset }: { readonly reset: () => void }) {
  return (
    <section className="message card">
      <h1>Something went wrong</h1>
      <p className="lead">Try again in a moment.</p>
      <p className="actions">
        <button type="button" className="button main" onClick={reset}>
          Try again
        </button>
      </p>
    </section>
  );
}
