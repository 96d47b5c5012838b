import type { PageTexts, PartialTexts, Texts } from "../model/texts.ts";
import { type Html, type HtmlValue, html } from "./html.ts";

/** The English texts. */
export const englishTexts: PageTexts = {
  lang: "en",
  dir: "ltr",
  windowTitle: "{page} · {host}",
  signIn: {
    title: "Sign in",
    lead: "to continue to {host}",
    withProvider: "Sign in with {name}",
    submit: "Sign in",
    emailLabel: "E-mail address",
    emailSubmit: "Send a sign-in link",
    or: "or",
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
    signIn: "Go to sign-in",
    home: "Go to the home page",
  },
  verifyRequest: {
    title: "Check your e-mail",
    text: "If that address can be used to sign in to {host}, we’ve sent it a link. The link works once. You can close this page.",
    home: "Go to the home page",
    code: {
      text: "If that address can be used to sign in to {host}, we’ve sent it a link and a code. Open the link, or enter the code here.",
      label: "Code from the e-mail",
      hint: "Enter the code only on this page, and only if you asked for it here. Don’t tell it to anyone.",
      submit: "Sign in",
      wrong:
        "That code isn’t correct or can’t be used any more. Check it, open the link in the e-mail instead, or request a new e-mail.",
    },
  },
  confirmEmail: {
    title: "Sign in with this link?",
    text: "You are about to sign in to {host} in this browser. If you didn’t request this link, close this page.",
    submit: "Sign in",
  },
  confirmAddress: {
    title: "Is this account yours?",
    text: "{host} already has an account with the address {email}, but no one has confirmed that address until now.",
    before: {
      title: "The account is mine",
      text: "Sign in the way you did before. That confirms your address.",
      submit: "Go to sign-in",
    },
    fresh: {
      title: "The account is not mine",
      text: "Start fresh with a new account for your address.",
      submit: "Start fresh",
    },
    where: "Continue in this browser within 15 minutes. To use another device, request a new link there.",
    again: {
      title: "Start fresh?",
      text: "You will get a new, empty account on {host} with the address {email}. Everything in the existing account stays there, without your address: it can be reached only the way it was signed in to before. You can’t undo this.",
      submit: "Create a new account",
      cancel: "Back",
    },
    elsewhere: {
      title: "Continue where you opened the link",
      text: "This page works for 15 minutes, in the browser in which you opened the link from the e-mail. Continue there, or request a new link in this browser.",
      signIn: "Go to sign-in",
    },
  },
};

/** Completes an application's texts with the English ones. */
export function completeTexts(own: PartialTexts): PageTexts {
  const { signIn, signOut, error, verifyRequest, confirmEmail, confirmAddress } = englishTexts;
  return {
    ...englishTexts,
    ...own,
    signIn: {
      ...signIn,
      ...own.signIn,
      errors: { ...signIn.errors, ...own.signIn?.errors },
      codes: { ...signIn.codes, ...own.signIn?.codes },
    },
    signOut: { ...signOut, ...own.signOut },
    error: completeErrors(error, own.error),
    verifyRequest: {
      ...verifyRequest,
      ...own.verifyRequest,
      code: { ...verifyRequest.code, ...own.verifyRequest?.code },
    },
    confirmEmail: { ...confirmEmail, ...own.confirmEmail },
    confirmAddress: completeConfirmAddress(confirmAddress, own.confirmAddress),
  };
}

function completeConfirmAddress(
  texts: Texts["confirmAddress"],
  own: PartialTexts["confirmAddress"] = {},
): Texts["confirmAddress"] {
  return {
    ...texts,
    ...own,
    before: { ...texts.before, ...own.before },
    fresh: { ...texts.fresh, ...own.fresh },
    again: { ...texts.again, ...own.again },
    elsewhere: { ...texts.elsewhere, ...own.elsewhere },
  };
}

function completeErrors(error: Texts["error"], own: PartialTexts["error"] = {}): Texts["error"] {
  const { Configuration, AccessDenied, Verification, SignOutIncomplete } = error.kinds;
  return {
    ...error,
    ...own,
    kinds: {
      Configuration: { ...Configuration, ...own.kinds?.Configuration },
      AccessDenied: { ...AccessDenied, ...own.kinds?.AccessDenied },
      Verification: { ...Verification, ...own.kinds?.Verification },
      SignOutIncomplete: { ...SignOutIncomplete, ...own.kinds?.SignOutIncomplete },
    },
    unknown: { ...error.unknown, ...own.unknown },
    crossSite: { ...error.crossSite, ...own.crossSite },
  };
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
