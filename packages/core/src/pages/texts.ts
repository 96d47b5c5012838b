import type { PartialTexts, Texts } from "../model/texts.ts";
import { type Html, type HtmlValue, html } from "./html.ts";

/** The texts in English. */
export const englishTexts: Texts = {
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
    nothing: "There is no way to sign in yet. If you run this site, add a provider.",
    errors: {
      Signin: "Signing in did not work. Try again, or choose another way to sign in.",
      OAuthSignin: "We could not reach the service you chose. Try again, or choose another way to sign in.",
      OAuthCallbackError:
        "The service you chose did not confirm who you are. Try again, or choose another way to sign in.",
      OAuthCreateAccount:
        "We could not create your account from that service. Try again, or choose another way to sign in.",
      EmailCreateAccount: "We could not create your account from that e-mail address. Check the address and try again.",
      Callback: "Something went wrong on the way back to this site. Start again here.",
      OAuthAccountNotLinked:
        "An account with the same e-mail address is already here. To keep it safe, sign in the way you did the first time.",
      EmailSignin: "We could not send the e-mail. Check the address and try again.",
      CredentialsSignin: "That did not match. Check what you typed and try again.",
      SessionRequired: "You need to sign in to see that page.",
    },
    unknownError: "That did not work. Try again, or choose another way to sign in.",
  },
  passkey: {
    submit: "Sign in with a passkey",
    create: "Create an account with a passkey",
    hint: "You can leave this empty to sign in.",
    waiting: "Follow the steps that your browser shows.",
    cancelled: "No passkey was used. Try again, or choose another way to sign in.",
    timedOut: "That took too long. Try again when your passkey is at hand.",
    noAuthenticator:
      "Nothing on this device can keep such a passkey. Try another device, or choose another way to sign in.",
    notSupported: "This browser cannot use passkeys here. Try another browser, or choose another way to sign in.",
    alreadyRegistered: "There is a passkey for that account on this device already. Sign in with it.",
    refused: "That passkey was not accepted. Try another one, or choose another way to sign in.",
    unreached: "We could not reach the server. Check your connection and try again.",
    noScript: "Passkeys need JavaScript, which is off in this browser.",
  },
  signOut: {
    title: "Sign out?",
    lead: "You will be signed out of {host} in this browser.",
    stale: "You are still signed in: this page had been open too long. Please confirm once more.",
    submit: "Sign out",
    cancel: "Cancel",
  },
  error: {
    kinds: {
      Configuration: {
        title: "Sign-in is out of order",
        text: "Something is wrong on our side, not with you. Try again later. If it stays like this, tell the people who run {host}.",
      },
      AccessDenied: {
        title: "You are not signed in",
        text: "Either the sign-in was cancelled, or this account may not sign in to {host}. Try again, use another account, or ask the people who run the site to let you in.",
      },
      Verification: {
        title: "This link no longer works",
        text: "It was used already, or it is too old. Go to the sign-in page and ask for a new one.",
      },
    },
    unknown: {
      title: "Something went wrong",
      text: "We could not finish that. Sign in again; if it keeps happening, tell the people who run {host}.",
    },
    crossSite: {
      title: "That came from another site",
      text: "A page that does not belong to {host} sent a form here. Nothing was done. If you meant to do something, open {host} yourself and do it there.",
    },
    signIn: "Go to sign-in",
    home: "Go to the home page",
  },
  verifyRequest: {
    title: "Check your e-mail",
    text: "If that address can sign in to {host}, a link is on its way to it. The link works once; you can close this page.",
    home: "Go to the home page",
  },
  confirmEmail: {
    title: "Sign in with this link?",
    text: "You are about to sign in to {host} in this browser. If you did not ask for the link, close this page.",
    submit: "Sign in",
  },
};

/** Fills in what an application's own texts leave out. */
export function completeTexts(own: PartialTexts): Texts {
  const { signIn, passkey, signOut, error, verifyRequest, confirmEmail } = englishTexts;
  return {
    ...englishTexts,
    ...own,
    signIn: { ...signIn, ...own.signIn, errors: { ...signIn.errors, ...own.signIn?.errors } },
    passkey: { ...passkey, ...own.passkey },
    signOut: { ...signOut, ...own.signOut },
    error: completeErrors(error, own.error),
    verifyRequest: { ...verifyRequest, ...own.verifyRequest },
    confirmEmail: { ...confirmEmail, ...own.confirmEmail },
  };
}

function completeErrors(error: Texts["error"], own: PartialTexts["error"] = {}): Texts["error"] {
  const { Configuration, AccessDenied, Verification } = error.kinds;
  return {
    ...error,
    ...own,
    kinds: {
      Configuration: { ...Configuration, ...own.kinds?.Configuration },
      AccessDenied: { ...AccessDenied, ...own.kinds?.AccessDenied },
      Verification: { ...Verification, ...own.kinds?.Verification },
    },
    unknown: { ...error.unknown, ...own.unknown },
    crossSite: { ...error.crossSite, ...own.crossSite },
  };
}

/** Looks a text up by a key that a client chose: own keys only, so that `constructor` or `__proto__` find nothing (H292). */
export function ownText<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Puts values where a text names them: `fill("to {host}", { host })`. What a value contains is never filled again. */
export function fill(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = text.split(/\{([a-z]+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : ownText(values, part)))}`;
}
