/** How a provider's button looks on the built-in sign-in page. */
export interface ProviderStyle {
  /** An image shown on the button; only `data:` and same-origin URLs are shown. */
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
