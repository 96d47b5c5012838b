import { redirect } from "@sveltejs/kit";
import { sequence } from "@sveltejs/kit/hooks";
import { handle as authenticate } from "./auth.js";

/** A hook after that of Cardea: redirects without a page, in both ways that SvelteKit has. */
function move({ event, resolve }) {
  if (event.url.pathname === "/moved") redirect(301, "/open");
  if (event.url.pathname === "/returned") return new Response(null, { status: 301, headers: { location: "/open" } });
  return resolve(event);
}

export const handle = sequence(authenticate, move);
