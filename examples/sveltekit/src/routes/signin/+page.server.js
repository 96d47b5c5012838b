import { signIn } from "$lib/server/auth.js";

export const actions = { default: signIn };
