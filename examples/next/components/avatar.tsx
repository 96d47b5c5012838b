import type { Session } from "@cardea/next";

/** The picture of a person, or else their initials. Only pictures that come within the session are shown: nothing is fetched from elsewhere. */
export function Avatar({ user }: { readonly user: Session["user"] }) {
  const words = (user?.name ?? "?").split(/\s+/).filter((word) => word !== "");
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  // biome-ignore lint/performance/noImgElement: it comes within the page, there is nothing to fetch
  if (user?.image?.startsWith("data:image/")) return <img className="avatar" src={user.image} alt="" />;
  return (
    <span className="avatar" aria-hidden="true">
      {ends.map((word) => [...(word ?? "")][0] ?? "").join("")}
    </span>
  );
}
