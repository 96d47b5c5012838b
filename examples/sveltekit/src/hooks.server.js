export { handle } from "$lib/server/auth.js";
