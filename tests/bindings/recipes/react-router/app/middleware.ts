import type { MiddlewareFunction } from "react-router";
import { auth, sessionContext } from "./auth.server.ts";

export const middleware: MiddlewareFunction<Response>[] = [
  ({ request, context }, next) =>
    auth(({ auth: session }) => {
      context.set(sessionContext, session);
      return next();
    })(request),
];
