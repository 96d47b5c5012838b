/** Appearance of the built-in pages (docs/pages.md). */
export interface Theme {
  /** Name of the application, shown on the pages; default: its host. */
  brandName?: string | undefined;
  /** Default `auto`: as set in the browser. */
  colorScheme?: "auto" | "dark" | "light" | undefined;
  /** A CSS colour. */
  brandColor?: string | undefined;
  /** A CSS colour. */
  buttonText?: string | undefined;
  /** A `data:` URL or a URL of the same origin. */
  logo?: string | undefined;
}
