import { auth } from "./roles-in-database.ts";

export const admin = auth((request) => {
  if (request.auth?.role !== "admin") return new Response("Administrators only.", { status: 403 });
  return Response.json({ welcome: request.auth.userId });
});
