import { redirect } from "@sveltejs/kit";
import { signIn } from "$lib/server/auth.js";

// A user who opens this address gets the built-in page.
export const load = () => redirect(303, "/auth/signin");

export const actions = { default: signIn };
