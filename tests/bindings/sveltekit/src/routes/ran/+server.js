import { count } from "../../auth.js";

export const GET = () => new Response(String(count.runs));
