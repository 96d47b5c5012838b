/** Options for `navigator.credentials.create()` as JSON: the response of `webauthn-options` for `action=register`. */
export interface CreationOptions {
  /** base64url; signed within the client data. */
  readonly challenge: string;
  /** The relying party; default for `id`: the host of the page. */
  readonly rp: { readonly id?: string; readonly name: string };
  /** The account that the credential is for; `id` is base64url. */
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  /** Credentials that the authenticator must not have yet; ids are base64url. */
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

/** Options for `navigator.credentials.get()` as JSON: the response of `webauthn-options` for `action=authenticate`. */
export interface RequestOptions {
  /** base64url; signed within the client data. */
  readonly challenge: string;
  /** The relying party; default: the host of the page. */
  readonly rpId?: string;
  /** Allowed credentials; absent or empty: all of the site. Ids are base64url. */
  readonly allowCredentials?: readonly { readonly id: string }[];
}

/** A browser's response, as returned by `PublicKeyCredential.toJSON()` (WebAuthn L3 §5.1). */
export interface AuthenticatorAnswer {
  /** Id of the credential, base64url. */
  readonly id: string;
  /** Same as `id`. */
  readonly rawId: string;
  /** The only kind of credential in WebAuthn (L3 §5.8.2). */
  readonly type: "public-key";
  /** The authenticator is part of the device (WebAuthn L3 §5.4.5). */
  readonly authenticatorAttachment: "platform";
  /** Results of extensions (WebAuthn L3 §9). */
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  /** Client data, and the attestation or the assertion; binary members are base64url. */
  readonly response: Readonly<Record<string, string | readonly string[]>>;
}
