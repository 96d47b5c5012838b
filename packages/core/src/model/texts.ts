import type { ErrorPageParam, SignInPageErrorParam } from "./error-types.ts";

/** Headline and explanation. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

/**
 * Every word of the built-in pages; give another object for another language. `{host}` stands for
 * `theme.brandName` or the application's host, `{name}` for a provider's name, wherever the language wants them.
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
    /** Label of the field for the address, where another form of the page asks for one as well. */
    readonly emailLabel: string;
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
  /**
   * Shown to the owner of an address that an account already has without ever having confirmed it. `{email}` stands for the
   * address.
   */
  readonly confirmAddress: Message & {
    /** The first choice: sign in as before, which confirms the address. */
    readonly before: Message & { readonly submit: string };
    /** The second choice: a new account with the address. */
    readonly fresh: Message & { readonly submit: string };
    /** How long, and where, the choice is open. */
    readonly where: string;
    /** Asks once more before a new account is created. */
    readonly again: Message & { readonly submit: string; readonly cancel: string };
    /** In a browser in which no link was opened. */
    readonly elsewhere: Message & { readonly signIn: string };
  };
}

/** Some of the texts, down to single ones; the rest stays English. */
export type PartialTexts = Some<Texts>;

type Some<T> = { readonly [Key in keyof T]?: T[Key] extends string ? T[Key] : Some<T[Key]> };
