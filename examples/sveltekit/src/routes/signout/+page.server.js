import { signOut } from "$lib/server/auth.js";

export const actions = { default: signOut };
