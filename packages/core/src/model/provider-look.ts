/** Appearance of a provider's button on the built-in sign-in page. */
export interface ProviderStyle {
  /** An image on the button. Only `data:` URLs and same-origin URLs are shown. */
  logo?: string | undefined;
  /** Background colour of the button. */
  brandColor?: string | undefined;
  bg?: string | undefined;
  text?: string | undefined;
}

/** One field of a credentials form. */
export interface CredentialInput {
  label?: string | undefined;
  /** The `type` of the HTML input; default `text`. */
  type?: string | undefined;
  placeholder?: string | undefined;
  [attribute: string]: unknown;
}
