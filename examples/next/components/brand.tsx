import Link from "next/link";

export function Brand() {
  return (
    <Link className="brand" href="/">
      <span className="mark">
        <svg
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
          aria-hidden="true"
        >
          <path d="M6 3h11a1 1 0 0 1 1 1v16M3 20h3m8 0h7" />
          <path d="M6 3l8 3v16l-8-2z" fill="currentColor" fillOpacity=".25" strokeLinejoin="round" />
          <path d="M11 13v1.5" />
        </svg>
      </span>
      The Blue Room
    </Link>
  );
}
