import type { ErrorPageParam, SignInPageErrorParam } from "./error-types.ts";

/** Headline and explanation. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

/**
 * Every word of the built-in pages; give another object for another language. `{host}` and `{name}` stand for the
 * application's host and a provider's name, wherever the language wants them.
 */
export interface Texts {
  /** Language tag (BCP 47) and writing direction of these texts. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  /** Title of the window; `{page}` is the page's own headline. */
  readonly windowTitle: string;
  readonly signIn: {
    readonly title: string;
    readonly lead: string;
    readonly withProvider: string;
    readonly submit: string;
    readonly emailLabel: string;
    readonly emailSubmit: string;
    readonly or: string;
    readonly nothing: string;
    readonly errors: Readonly<Record<SignInPageErrorParam, string>>;
    readonly unknownError: string;
  };
  /** The part of the sign-in page that is about passkeys. */
  readonly passkey: {
    readonly submit: string;
    readonly create: string;
    /** Below the fields: only a new account needs them. */
    readonly hint: string;
    /** While the browser asks the person. */
    readonly waiting: string;
    readonly cancelled: string;
    readonly timedOut: string;
    readonly noAuthenticator: string;
    readonly notSupported: string;
    readonly alreadyRegistered: string;
    /** The server did not accept what the authenticator said. */
    readonly refused: string;
    /** The server did not answer. */
    readonly unreached: string;
    /** In place of all of it where scripts are off. */
    readonly noScript: string;
  };
  readonly signOut: {
    readonly title: string;
    readonly lead: string;
    readonly stale: string;
    readonly submit: string;
    readonly cancel: string;
  };
  readonly error: {
    readonly kinds: Readonly<Record<ErrorPageParam, Message>>;
    readonly unknown: Message;
    /** A form that a page of another site sent. */
    readonly crossSite: Message;
    readonly signIn: string;
    readonly home: string;
  };
  /** Shown after a link was sent by e-mail. */
  readonly verifyRequest: Message & { readonly home: string };
  /** Shown for a link from an e-mail that was opened in another browser than the one that asked for it. */
  readonly confirmEmail: Message & { readonly submit: string };
}

/** Some of the texts, down to single ones; the rest stays English. */
export type PartialTexts = Some<Texts>;

type Some<T> = { readonly [Key in keyof T]?: T[Key] extends string ? T[Key] : Some<T[Key]> };
