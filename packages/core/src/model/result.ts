import type { CookieAttributes } from "./config.ts";
import type { CredentialInput, ProviderStyle } from "./provider.ts";
import type { Theme } from "./theme.ts";

/** A cookie to be set; an empty value with `maxAge: 0` deletes it. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly options: CookieAttributes;
}

/** One way to sign in, as the built-in sign-in page shows it. */
export type SignInOption =
  | {
      readonly kind: "redirect";
      readonly id: string;
      readonly name: string;
      readonly action: string;
      readonly style: ProviderStyle;
    }
  | {
      readonly kind: "email";
      readonly id: string;
      readonly name: string;
      readonly action: string;
    }
  | {
      readonly kind: "credentials";
      readonly id: string;
      readonly name: string;
      readonly action: string;
      readonly fields: readonly { readonly name: string; readonly input: CredentialInput }[];
    }
  | {
      readonly kind: "passkey";
      readonly id: string;
      readonly name: string;
      /** URL of the options of a ceremony; `action` and the fields are added to its query. */
      readonly options: string;
      /** URL that takes the answer of an authenticator. */
      readonly action: string;
      /** What a new account is made of. */
      readonly fields: readonly { readonly name: string; readonly input: CredentialInput }[];
      /** Whether the browser may offer passkeys in the fields of the page (conditional UI). */
      readonly autofill: boolean;
      /** URL of the script that runs the ceremonies, without a query. */
      readonly script: string;
    };

/** What the built-in pages show. Every string is untrusted until the page has escaped it. */
export type Page =
  | {
      readonly kind: "signin";
      readonly options: readonly SignInOption[];
      /** null when CSRF protection is off. */
      readonly csrfToken: string | null;
      readonly callbackUrl: string;
      /** A value of `SignInPageErrorParam`, or anything else a client put there. */
      readonly error: string | null;
    }
  | {
      readonly kind: "signout";
      readonly action: string;
      readonly csrfToken: string | null;
      readonly callbackUrl: string;
      /** True when an earlier try came too late and has to be confirmed again. */
      readonly stale: boolean;
    }
  | {
      readonly kind: "error";
      /** A value of `ErrorPageParam`, or anything else a client put there. */
      readonly error: string | null;
      /** Said instead: the request was sent by a page of another site. */
      readonly crossSite?: boolean;
      readonly signInUrl: string;
      readonly homeUrl: string;
    }
  | { readonly kind: "verify-request"; readonly homeUrl: string }
  | {
      /** Shown for a link from an e-mail that another browser, or a mail scanner, opened: nothing is consumed yet. */
      readonly kind: "confirm-email";
      readonly action: string;
      readonly csrfToken: string | null;
      readonly fields: Readonly<Record<"token" | "email" | "callbackUrl", string>>;
    }
  | {
      /** The owner of an address decides what becomes of a user with that address who never proved it. */
      readonly kind: "confirm-address";
      readonly email: string;
      /** The providers that the user has accounts of. */
      readonly options: readonly Extract<SignInOption, { kind: "redirect" }>[];
      /** The sign-in page, where there may be other ways in; null when the options are all. */
      readonly signInUrl: string | null;
      readonly action: string;
      readonly step: string;
      readonly csrfToken: string | null;
      readonly callbackUrl: string;
    }
  | {
      /** Asks once more before the owner starts fresh. */
      readonly kind: "confirm-address-again";
      readonly email: string;
      readonly action: string;
      readonly step: string;
      readonly csrfToken: string | null;
      readonly callbackUrl: string;
    }
  | {
      /** In a browser that holds no proof of an address: where to continue. */
      readonly kind: "confirm-address-elsewhere";
      readonly signInUrl: string;
    };

/** What surrounds a page's own content. */
export interface PageFrame {
  readonly theme: Theme;
  /** Host name of the application, shown to the person. */
  readonly host: string;
  /** For the `nonce` attribute of the style element and the Content-Security-Policy. */
  readonly nonce: string;
}

/** What an action answers; `response/to-response` is the only place that turns it into a `Response`. */
export type AuthResult =
  | { readonly kind: "redirect"; readonly url: string }
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "page"; readonly status: number; readonly page: Page }
  | {
      /** The same for everyone: it may be kept by every cache for as long as `maxAge` says (seconds). */
      readonly kind: "script";
      readonly body: string;
      readonly maxAge: number;
    }
  | { readonly kind: "empty"; readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** A response before it is one. */
export interface ResponseInternal {
  status?: number;
  headers?: Headers | HeadersInit;
  body?: string | object | unknown[] | null;
  redirect?: string;
  cookies?: Cookie[];
}
