/** A name reduced to its letters and digits, in lower case. */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
