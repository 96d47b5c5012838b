/** Look of the built-in pages (spec 2.9). */
export interface Theme {
  colorScheme?: "auto" | "dark" | "light" | undefined;
  /** A CSS colour. */
  brandColor?: string | undefined;
  /** A CSS colour. */
  buttonText?: string | undefined;
  /** A `data:` URL or a URL of the same origin. */
  logo?: string | undefined;
}
