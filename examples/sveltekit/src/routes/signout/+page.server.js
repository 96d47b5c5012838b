import { redirect } from "@sveltejs/kit";
import { signOut } from "$lib/server/auth.js";

// A user who opens this address gets the built-in page.
export const load = () => redirect(303, "/auth/signout");

export const actions = { default: signOut };
