"use server";

import { CredentialsSignin, EmailSignInError } from "@cardea/next";
import { signIn } from "@/auth";

/** What a form says when it did not work. */
export type Problem = string | null;

export async function enterWithProvider(_before: Problem, form: FormData): Promise<Problem> {
  await signIn("local", form);
  return null;
}

export async function enterWithLink(_before: Problem, form: FormData): Promise<Problem> {
  try {
    await signIn("nodemailer", form);
  } catch (error) {
    if (error instanceof EmailSignInError) return "The link could not be sent. Check the address.";
    throw error;
  }
  return null;
}

export async function enterWithPassword(_before: Problem, form: FormData): Promise<Problem> {
  try {
    await signIn("credentials", form);
  } catch (error) {
    if (error instanceof CredentialsSignin) return "Those details are incorrect.";
    // Next.js redirects by throwing, too: what is not ours goes on.
    throw error;
  }
  return null;
}

export async function enterWithPassphrase(_before: Problem, form: FormData): Promise<Problem> {
  try {
    // Where a second factor is needed, this leads to its page.
    await signIn("passphrase", form);
  } catch (error) {
    if (!(error instanceof CredentialsSignin)) throw error;
    return error.code === "busy"
      ? "Too many people are signing in. Try again in a moment."
      : "Those details are incorrect.";
  }
  return null;
}
