import type { CookieAttributes } from "./cookie-options.ts";
import type { ProviderStyle } from "./provider.ts";
import type { Section } from "./section.ts";
import type { MethodProvider, SignInForm } from "./sign-in-method-spec.ts";
import type { PageTexts } from "./texts.ts";
import type { Markup, Theme } from "./theme.ts";

/** A cookie to set; an empty value with `maxAge: 0` deletes it. */
export interface Cookie {
  /** The full name. */
  readonly name: string;
  /** The value as it is sent. */
  readonly value: string;
  /** The attributes. */
  readonly options: CookieAttributes;
  /** Asked when the headers are written; if false, the cookie is not set, because its session has since ended or been replaced. */
  readonly isCurrent?: (() => boolean) | undefined;
}

/** A sign-in method, as shown on the built-in sign-in page. */
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
      readonly fields: MethodProvider["fields"];
    }
  | {
      /** A sign-in method defined by a provider object, whose part of the page has a script. */
      readonly kind: "scripted";
      readonly id: string;
      readonly name: string;
      /** URL that returns the options to start. */
      readonly options: string;
      /** URL of the provider callback. */
      readonly action: string;
      /** The fields that a new account requires. */
      readonly fields: MethodProvider["fields"];
      /** Whether the browser may offer it in the page's fields. */
      readonly autofill: boolean;
      readonly script: PageScript;
      readonly form: (form: SignInForm) => Markup;
    };

/** The passkey script. */
export interface PageScript {
  /** Without a query. */
  readonly url: string;
  /** Its hash (SRI §3.1). */
  readonly integrity: string;
}

/** What was typed on the sign-in page. */
export interface TypedIdentifier {
  readonly text: string;
  /** Whether the page shows it in its field again, instead of the methods for it. */
  readonly isEdited: boolean;
}

/** The content of the built-in pages. Every string is untrusted until the page has escaped it. */
export type Page =
  | {
      readonly kind: "signin";
      readonly options: readonly SignInOption[];
      /** URL that the form for the address or user name posts to. */
      readonly action: string;
      /** What was typed in this browser. */
      readonly identifier: TypedIdentifier | null;
      /** The method that this browser used last, if the page may say so. */
      readonly lastMethod?: string | undefined;
      /** null if CSRF protection is disabled. */
      readonly csrfToken: string | null;
      readonly callbackUrl: string;
      /** A value of `SignInPageErrorParam`, or any other text sent by a client. */
      readonly error: string | null;
      /** With `CredentialsSignin`: a key of `texts.signIn.codes`, or any other text. */
      readonly code?: string | null;
      /** Sections added by extensions. */
      readonly sections?: readonly Section[];
      /** Of the page `confirm-address` that led here; its sign-ins carry it. */
      readonly mark?: string | undefined;
      /** Shows that its forms are those of the built-in page, in a session; undefined without one. */
      readonly signInPage?: string | undefined;
    }
  | {
      readonly kind: "signout";
      readonly action: string;
      readonly csrfToken: string | null;
      readonly callbackUrl: string;
      /** True if an earlier attempt came too late and must be confirmed again. */
      readonly stale: boolean;
    }
  | {
      readonly kind: "error";
      /** A value of `ErrorPageParam`, or any other text sent by a client. */
      readonly error: string | null;
      /** True if a page of another site sent the request; replaces `error`. */
      readonly crossSite?: boolean;
      /** True if no page has this address; replaces `error`. */
      readonly notFound?: boolean;
      /** Of the line in the log; undefined if no failure is known. */
      readonly reference?: string | undefined;
      readonly signInUrl: string;
    }
  | {
      /** Asks whose an account is that is not that of the signed-in user. */
      readonly kind: "confirm-account";
      readonly action: string;
      readonly csrfToken: string | null;
      readonly callbackUrl: string;
      /** Names the question. */
      readonly pending: string;
      /** Name of the account's provider. */
      readonly provider: string;
      /** Address or name at the provider. */
      readonly account: string;
      /** Address or name of the signed-in user. */
      readonly user: string;
      /** Whether the account can be added to the user: it belongs to no one. */
      readonly mayAdd: boolean;
    }
  | {
      /** A page that a part or an extension brings, with its own renderer. */
      readonly kind: "rendered";
      readonly script: PageScript | null;
      render(frame: PageFrame, texts: PageTexts): RenderedPage;
    };

/** An HTML document. */
export interface RenderedPage {
  /** Whether it contains the page script. */
  readonly hasScript: boolean;
  toString(): string;
}

/** The frame around a page's content. */
export interface PageFrame {
  readonly theme: Theme;
  /** Host name of the application, shown to the visitor. */
  readonly host: string;
  /** For the `nonce` attribute of the style element and the Content-Security-Policy. */
  readonly nonce: string;
}

/** The result of an action. Only `http/to-response` converts it to a `Response`. */
export type AuthResult =
  | {
      readonly kind: "redirect";
      readonly url: string;
      /** Additional members of the JSON that programs receive instead of the redirect, besides `url`. */
      readonly body?: Readonly<Record<string, unknown>>;
      /** Status and headers of the JSON for programs; default 200 and none. */
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "page";
      readonly status: number;
      readonly page: Page;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** The same for all clients: any cache may store it for `maxAge` seconds. */
      readonly kind: "script";
      readonly body: string;
      readonly maxAge: number;
    }
  | { readonly kind: "empty"; readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** The parts of a response. */
export interface ResponseInternal {
  /** The HTTP status. */
  status?: number;
  /** The headers, without `Set-Cookie` and `Location`. */
  headers?: Headers | HeadersInit;
  /** The body. */
  body?: string | object | unknown[] | null;
  /** Where to redirect the browser. */
  redirect?: string;
  /** The cookies to set. */
  cookies?: Cookie[];
}
