import type { ErrorPageParam, SignInPageErrorParam } from "./auth-error.ts";

/** Headline and explanation. */
export interface Message {
  /** The heading. */
  readonly title: string;
  /** The sentence below the heading. */
  readonly text: string;
}

/**
 * All texts of the built-in pages. Provide another object for another language. `{host}` is replaced by `theme.brandName`
 * or the application's host, and `{name}` by a provider's name.
 */
export interface Texts {
  /** Language tag (BCP 47) and writing direction of these texts. */
  readonly lang: string;
  /** The direction of the language. */
  readonly dir: "ltr" | "rtl";
  /** Title of the window; `{page}` is the page's headline. */
  readonly windowTitle: string;
  /** The link below each page that leads to `theme.homeUrl`. */
  readonly back: string;
  /** The same link if the host is unknown. */
  readonly home: string;
  /** Name of the button in each password field that shows and hides what was typed. */
  readonly showPassword: string;
  /** The sign-in page. */
  readonly signIn: {
    readonly title: string;
    readonly lead: string;
    readonly withProvider: string;
    readonly submit: string;
    readonly emailLabel: string;
    readonly emailSubmit: string;
    readonly or: string;
    /** Label of the first step's field if a method accepts user names as well. */
    readonly identifierLabel: string;
    /** Button of the first step. */
    readonly next: string;
    /** Beside the address in the second step: leads back to its field. */
    readonly change: string;
    /** Marks the method that was used last (`theme.lastMethod`). */
    readonly lastUsed: string;
    /** Removes that mark. */
    readonly forget: string;
    readonly nothing: string;
    readonly errors: Readonly<Record<SignInPageErrorParam, string>>;
    readonly unknownError: string;
    /**
     * Replaces the text of the error for these values of `code`: `busy` and `too_many_attempts` if the submitted details were not looked at,
     * `cookies` if the browser sent no cookie back.
     */
    readonly codes: Readonly<Record<"busy" | "too_many_attempts" | "cookies", string>>;
  };
  /** The passkey section of the sign-in page. */
  readonly passkey: {
    readonly submit: string;
    readonly create: string;
    /** Shown below the fields: only a new account requires them. */
    readonly hint: string;
    /** Shown while the browser prompts the user. */
    readonly waiting: string;
    readonly cancelled: string;
    readonly timedOut: string;
    readonly noAuthenticator: string;
    readonly notSupported: string;
    readonly alreadyRegistered: string;
    /** The server rejected the authenticator's response. */
    readonly refused: string;
    /** The server did not respond. */
    readonly unreached: string;
    /** Replaces the whole section if JavaScript is disabled. */
    readonly noScript: string;
  };
  /** The sign-out page. */
  readonly signOut: {
    readonly title: string;
    readonly lead: string;
    readonly stale: string;
    readonly submit: string;
    readonly cancel: string;
  };
  /** The error page. */
  readonly error: {
    readonly kinds: Readonly<Record<ErrorPageParam, Message>>;
    readonly unknown: Message;
    /** A form that was sent from another site. */
    readonly crossSite: Message;
    /** An address below the base path that has no page. */
    readonly notFound: Message;
    /** `{reference}` is replaced by the reference that the log repeats. */
    readonly reference: string;
    readonly signIn: string;
  };
  /** Shown after an e-mail link was sent. */
  readonly verifyRequest: Message & {
    /** Replaces `text` in the browser that asked; `{email}` is the address. */
    readonly sent: string;
    /** The button that sends it again, after a minute. */
    readonly again: string;
    /** Stands in its place until then. */
    readonly wait: string;
    /** The button that leads back to the field for the address. */
    readonly edit: string;
    /** For a provider that also sends a code, in the requesting browser; `text` replaces that of the page. */
    readonly code: {
      readonly text: string;
      /** Replaces `text` in the browser that asked; `{email}` is the address. */
      readonly sent: string;
      readonly label: string;
      /** Below the field. */
      readonly hint: string;
      readonly submit: string;
      /** Shown after a rejected code, for any reason. */
      readonly wrong: string;
    };
  };
  /** Shown if an e-mail link is opened in a different browser than the one that requested it. */
  readonly confirmEmail: Message & { readonly submit: string };
  /**
   * Shown when a sign-in proves an account that is not that of the signed-in user. `{user}`: who is signed in; `{name}`: the provider;
   * `{account}`: the address or name there.
   */
  readonly confirmAccount: Message & {
    /** The account belongs to no one yet. */
    readonly unknown: string;
    /** The account belongs to another user. */
    readonly known: string;
    /** The first choice, for an account that belongs to no one. */
    readonly add: Message & { readonly submit: string };
    /** The other choice. */
    readonly other: Message & { readonly submit: string };
    /** Leaves everything as it is. */
    readonly cancel: string;
  };
  /** Shown to the owner of an address that an existing user has but never verified. `{email}` is replaced by the address. */
  readonly confirmAddress: Message & {
    /** The first choice: sign in as before, which verifies the address. */
    readonly before: Message & { readonly submit: string };
    /** The second choice: a new account with the address. */
    readonly fresh: Message & { readonly submit: string };
    /** In place of the texts above for an account whose provider vouches for the address. */
    readonly waiting: {
      /** Names the account. */
      readonly text: string;
      /** What signing in as before does. */
      readonly before: string;
      /** A link by e-mail, whose page offers a new account. */
      readonly link: Message & { readonly submit: string };
      /** Whom to ask if neither is possible. */
      readonly help: string;
      /** How long, and in which browser, the choice is available. */
      readonly where: string;
    };
    /** How long, and in which browser, the choice is available. */
    readonly where: string;
    /** Asks for confirmation before a new account is created. */
    readonly again: Message & { readonly submit: string; readonly cancel: string };
    /** Shown in a browser in which no link was opened. */
    readonly elsewhere: Message & { readonly signIn: string };
  };
}

/** Any subset of the texts; the others stay English. */
export type PartialTexts = Some<Texts>;

/** The texts of a built-in page; those of passkeys and codes are completed by the package that renders them. */
export interface PageTexts extends Omit<Texts, "passkey" | "verifyRequest">, Pick<PartialTexts, "passkey"> {
  /** Shown after an e-mail link was sent. */
  readonly verifyRequest: Omit<Texts["verifyRequest"], "code"> & Pick<Some<Texts["verifyRequest"]>, "code">;
}

/** The same texts, each of them optional. */
type Some<T> = { readonly [Key in keyof T]?: T[Key] extends string ? T[Key] : Some<T[Key]> };
