import { auth } from "@/auth";

/** A route handler for members: `callbacks.authorized` has let them through. */
export const GET = auth((request) => Response.json({ hello: request.auth?.user?.name ?? null }));
