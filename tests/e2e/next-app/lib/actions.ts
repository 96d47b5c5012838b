"use server";

import { isAuthError } from "@cardea/next";
import { auth, signIn, signOut, unstable_update } from "./auth";

export async function enter(_before: string, form: FormData): Promise<string> {
  try {
    await signIn("credentials", form);
  } catch (error) {
    if (isAuthError(error)) return `${error.type} ${"code" in error ? error.code : ""}`;
    throw error;
  }
  return "not reached";
}

export async function leave(): Promise<string> {
  await signOut({ redirectTo: "/component" });
  return "not reached";
}

export async function update(_before: string, form: FormData): Promise<string> {
  const before = await auth();
  const updated = await unstable_update({ nick: form.get("nick") });
  const after = await auth();
  return [before, updated, after].map((session) => session?.nick ?? "none").join(" ");
}

export async function toSignInPage(): Promise<string> {
  await signIn();
  return "not reached";
}
