import type { PageTexts, PartialTexts } from "../model/texts.ts";
import { type Html, type HtmlValue, html } from "./html.ts";

/** The English texts. */
export const englishTexts: PageTexts = {
  lang: "en",
  dir: "ltr",
  windowTitle: "{page} · {host}",
  back: "Back to {host}",
  home: "Go to the home page",
  showPassword: "Show password",
  signIn: {
    title: "Sign in",
    lead: "to continue to {host}",
    withProvider: "Sign in with {name}",
    submit: "Sign in",
    emailLabel: "E-mail address",
    emailSubmit: "Send a sign-in link",
    or: "or",
    identifierLabel: "E-mail address or user name",
    next: "Continue",
    change: "Change",
    lastUsed: "Last used",
    forget: "Forget which method I used last",
    nothing: "No sign-in methods are configured.",
    errors: {
      Signin: "We couldn’t sign you in. Try again or use another sign-in method.",
      OAuthSignin: "We couldn’t reach the service you chose. Try again or use another sign-in method.",
      OAuthCallbackError:
        "The service you chose didn’t confirm your identity. Try again or use another sign-in method.",
      OAuthCreateAccount: "We couldn’t create your account with that service. Try again or use another sign-in method.",
      EmailCreateAccount: "We couldn’t create an account for that e-mail address. Check the address and try again.",
      Callback: "Something went wrong while returning to this site. Please sign in again.",
      OAuthAccountNotLinked:
        "An account with this e-mail address already exists. Sign in the way you originally signed up.",
      EmailSignin: "We couldn’t send the e-mail. Check the address and try again.",
      CredentialsSignin: "Those details are incorrect. Check them and try again.",
      SessionRequired: "Sign in to view that page.",
      SessionEnded: "You were signed out. Sign in again to continue.",
    },
    unknownError: "Something went wrong. Try again or use another sign-in method.",
    codes: {
      busy: "We’re busy right now. Try again in a moment.",
      too_many_attempts: "Too many attempts. Wait a few minutes and try again.",
      cookies:
        "Your browser didn’t send back the cookies that signing in needs. Allow cookies for this site, or continue in the browser where you started. Then try again.",
    },
  },
  signOut: {
    title: "Sign out?",
    lead: "You will be signed out of {host} in this browser.",
    stale: "This page expired. You’re still signed in; please confirm again.",
    submit: "Sign out",
    cancel: "Cancel",
  },
  error: {
    kinds: {
      Configuration: {
        title: "Sign-in is unavailable",
        text: "Something is wrong on our side. Try again later. If the problem continues, contact {host}.",
      },
      AccessDenied: {
        title: "Access denied",
        text: "The sign-in was cancelled, or this account doesn’t have access to {host}. Try again, use another account, or ask {host} for access.",
      },
      Verification: {
        title: "This link has expired",
        text: "The link was already used or is too old. Go to the sign-in page to request a new one.",
      },
      SignOutIncomplete: {
        title: "Not signed out everywhere yet",
        text: "You are signed out in this browser, but {host} couldn’t finish signing you out. It will keep trying. On a shared computer, check again in a minute.",
      },
    },
    unknown: {
      title: "Something went wrong",
      text: "We couldn’t complete your request. Sign in again. If the problem continues, contact {host}.",
    },
    crossSite: {
      title: "Request blocked",
      text: "This request came from another website, so we ignored it. Go to {host} and try again.",
    },
    notFound: {
      title: "Page not found",
      text: "There is no page at this address. Check the link, or go to the sign-in page.",
    },
    reference: "Reference: {reference}",
    signIn: "Go to sign-in",
  },
  verifyRequest: {
    title: "Check your e-mail",
    text: "If that address can be used to sign in to {host}, we’ve sent it a link. The link works only once. You can close this page.",
    sent: "If {email} can be used to sign in to {host}, we’ve sent a link to it. The link works only once. You can close this page.",
    again: "Send it again",
    wait: "You can ask for another e-mail in a minute.",
    edit: "Use another address",
  },
  confirmEmail: {
    title: "Sign in with this link?",
    text: "You are about to sign in to {host} in this browser. If you didn’t request this link, close this page.",
    submit: "Sign in",
  },
  confirmAccount: {
    title: "Which account do you want to use?",
    text: "You’re signed in to {host} as {user}.",
    unknown: "Your {name} account {account} isn’t linked to any account on {host} yet.",
    known: "Your {name} account {account} belongs to another account on {host}.",
    add: {
      title: "Both accounts are mine",
      text: "You can then sign in as {user} with your {name} account too.",
      submit: "Add it to my account",
    },
    other: {
      title: "I’m someone else",
      text: "You’ll be signed out as {user} and signed in with the {name} account.",
      submit: "Sign in as someone else",
    },
    cancel: "Back without changes",
  },
  confirmAddress: {
    title: "Is this account yours?",
    text: "{host} already has an account with the address {email}, but that address was never confirmed.",
    before: {
      title: "Yes, it’s my account",
      text: "Sign in the way you did before to confirm your address.",
      submit: "Go to sign-in",
    },
    fresh: {
      title: "No, it’s not my account",
      text: "Create a new account with your address.",
      submit: "Start fresh",
    },
    waiting: {
      text: "Your {name} account for {email} isn’t linked to it yet.",
      before: "Sign in the way you did before, from this page. We’ll then link your {name} account.",
      link: {
        title: "Can’t sign in, or not your account?",
        text: "Get a link by e-mail at {email}, and open it in this browser.",
        submit: "Send me a link",
      },
      help: "If you can’t sign in that way, or it’s not your account, contact {host}.",
      where: "Continue in this browser within 15 minutes.",
    },
    where: "Continue in this browser within 15 minutes. To use another device, request a new link there.",
    again: {
      title: "Start fresh?",
      text: "You will get a new, empty account on {host} with the address {email}. The existing account keeps its data but loses your address, and can only be accessed with its other sign-in methods. You can’t undo this.",
      submit: "Create a new account",
      cancel: "Back",
    },
    elsewhere: {
      title: "Continue where you opened the link",
      text: "Continue in the browser where you opened the link from the e-mail, within 15 minutes. Or request a new link in this browser.",
      signIn: "Go to sign-in",
    },
  },
};

/** Completes an application's texts with the English ones. */
export function completeTexts(own: PartialTexts): PageTexts {
  // Each text is the application's, or the one that it replaces, and of the same type.
  return complete(englishTexts, own) as PageTexts;
}

/** At every level; a value of another type than the text in its place is ignored. */
function complete(texts: object, own: object): object {
  const replaced = Object.entries(own).flatMap(([key, given]): [string, unknown][] => {
    const text: unknown = ownText({ ...texts }, key);
    if (text === undefined) return [[key, given]];
    if (typeof given !== typeof text || given === null) return [];
    return [[key, typeof text === "object" && text !== null ? complete(text, given) : given]];
  });
  return { ...texts, ...Object.fromEntries(replaced) };
}

/** Looks up a text by a key that a client sent: own keys only, so that `constructor` or `__proto__` find nothing. */
export function ownText<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Inserts values into a text: `fill("to {host}", { host })`. Placeholders inside a value are not filled. */
export function fill(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = text.split(/\{([a-z]+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : ownText(values, part)))}`;
}

/** The first letter or digit of a name, in upper case; null if it has none. A letter is what users see as one. */
export function initialOf(name: string): string | null {
  const [first] = /[\p{L}\p{N}]\p{M}*/u.exec(name) ?? Array.from(name.trim());
  return first?.toUpperCase() ?? null;
}
