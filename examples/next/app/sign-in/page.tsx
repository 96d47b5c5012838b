import type { SignInPageErrorParam } from "@cardea/next";
import type { Metadata } from "next";
import { enterWithLink, enterWithPassphrase, enterWithPassword, enterWithProvider } from "./actions";
import { PasskeyForm } from "./passkey-form";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

/** What the library says in `error`, in our words. */
const PROBLEMS: Partial<Record<SignInPageErrorParam, string>> = {
  OAuthAccountNotLinked:
    "An account with this e-mail address already exists. Sign in the way you originally signed up.",
  OAuthCallbackError: "The provider didn’t confirm your identity. Try again.",
  SessionRequired: "Sign in to view that page.",
};

export default async function Page({ searchParams }: PageProps<"/sign-in">) {
  const { callbackUrl, error } = await searchParams;
  // `callbacks.redirect` sees to it that it leads nowhere else.
  const target = typeof callbackUrl === "string" ? callbackUrl : "/members";
  const back = new URLSearchParams({ callbackUrl: target });
  return (
    <div className="doorstep">
      <h1>Sign in</h1>
      {typeof error === "string" && (
        <p role="alert" className="problem">
          {Object.entries(PROBLEMS).find(([name]) => name === error)?.[1] ?? "Something went wrong. Try again."}
        </p>
      )}
      <section className="card">
        <SignInForm action={enterWithProvider} callbackUrl={target} submit="Sign in with Local Provider" />
      </section>
      <section className="card">
        <PasskeyForm callbackUrl={target} />
      </section>
      <section className="card">
        <SignInForm action={enterWithLink} callbackUrl={target} submit="Send a sign-in link">
          <label htmlFor="email">E-mail address</label>
          <input id="email" name="email" type="email" required autoComplete="email" />
        </SignInForm>
      </section>
      <section className="card">
        <SignInForm action={enterWithPassword} callbackUrl={target} submit="Sign in with a password">
          <label htmlFor="username">User name</label>
          <input id="username" name="username" required autoComplete="username" autoCapitalize="none" />
          <label htmlFor="password">Password</label>
          <input id="password" name="password" type="password" required autoComplete="current-password" />
        </SignInForm>
      </section>
      <section className="card">
        <SignInForm action={enterWithPassphrase} callbackUrl={target} submit="Sign in with a passphrase">
          <label htmlFor="address">Account address</label>
          <input id="address" name="email" type="email" required autoComplete="username" />
          <label htmlFor="passphrase">Passphrase</label>
          <input id="passphrase" name="password" type="password" required autoComplete="current-password" />
        </SignInForm>
        <p className="actions">
          <a className="button small" href={`/api/auth/register/passphrase?${back}`}>
            Create an account
          </a>
          <a className="button small" href={`/api/auth/reset/passphrase?${back}`}>
            Forgot your passphrase?
          </a>
        </p>
      </section>
    </div>
  );
}
