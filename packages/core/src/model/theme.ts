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
  /** A `data:` URL or a URL of the same origin; default: the first letter of the name. */
  logo?: string | undefined;
  /** Where the link back to the application leads: a path or an http(s) URL; default `/`. */
  homeUrl?: string | undefined;
  /** Whether the sign-in page marks the method that this browser used last, for 90 days; default false. */
  lastMethod?: boolean | undefined;
}

/** Appearance of a provider's button on the built-in sign-in page. */
export interface ProviderStyle {
  /** An image on the button. Only `data:` URLs and same-origin URLs are shown. */
  logo?: string | undefined;
  /** The colour behind the first letter of the name, for a provider without a logo. */
  brandColor?: string | undefined;
  /** The same; takes precedence. */
  bg?: string | undefined;
  /** The colour of that letter. */
  text?: string | undefined;
}

/** One field of a credentials form. */
export interface CredentialInput {
  /** The label; default: the name of the field. */
  label?: string | undefined;
  /** The `type` of the HTML input; default `text`. */
  type?: string | undefined;
  /** The placeholder. */
  placeholder?: string | undefined;
  /** Any other attribute of the input element. */
  [attribute: string]: unknown;
}

/** Markup created with `html` from `@cardea/extend`. Anything else is escaped. */
export interface Markup {
  /** The HTML, with every inserted value escaped. */
  toString(): string;
}
