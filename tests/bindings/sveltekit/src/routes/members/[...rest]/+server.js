import { count } from "../../../auth.js";

export async function fallback({ locals }) {
  count.runs += 1;
  return new Response(`SECRET of ${(await locals.auth())?.user?.name}`);
}
