import { signIn } from "../../auth.js";

export const actions = { default: signIn };
