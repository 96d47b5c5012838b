"use server";

import { redirect } from "next/navigation";
import { auth, signIn, signOut, unstable_update } from "@/auth";
import { level } from "@/lib/levels";

/** Signs out, and leads to the first page. */
export async function leave(): Promise<void> {
  await signOut({ redirectTo: "/" });
}

/** Signs out here, and at the provider that the session came from. */
export async function leaveEverywhere(): Promise<void> {
  await signOut({ redirectTo: "/", federated: true });
}

/** Asks the provider for consent, for the user who is signed in. */
export async function askForConsent(): Promise<void> {
  await signIn("local", { redirectTo: "/members/provider" });
}

/** Takes the name that a member wants to be called. */
export async function rename(form: FormData): Promise<void> {
  await unstable_update({ name: form.get("name") });
}

/** Opens the safe. Who has not proven who they are within the last five minutes is led to the proof, and from there to the safe. */
export async function openSafe(): Promise<void> {
  await level.require(auth, "safe", { callbackUrl: "/members/safe" });
  redirect("/members/safe");
}
