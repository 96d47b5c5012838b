import type { APIRoute } from "astro";
import { handlers } from "../../auth.ts";

export const prerender = false;
export const ALL: APIRoute = ({ request }) => handlers.GET(request); // POST is the same function
