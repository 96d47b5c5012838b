"use server";

import { signOut, unstable_update } from "@/auth";

/** Signs out, and leads to the first page. */
export async function leave(): Promise<void> {
  await signOut({ redirectTo: "/" });
}

/** Takes the name that a member wants to be called. */
export async function rename(form: FormData): Promise<void> {
  await unstable_update({ name: form.get("name") });
}
