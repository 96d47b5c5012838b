import type { MiddlewareHandler } from "astro";
import { auth } from "./auth.ts";

export const onRequest: MiddlewareHandler = ({ request, locals, isPrerendered }, next) => {
  locals.session = null;
  if (isPrerendered) return next();
  const handle = auth(({ auth: session }) => {
    locals.session = session;
    return next();
  });
  return handle(request);
};
