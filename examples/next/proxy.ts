import { createAuth } from "@cardea/next/middleware";
import { authConfig } from "@/auth.config";

/** In front of every page: renews sessions, and asks `callbacks.authorized`. */
export const proxy = createAuth(authConfig).auth;

export const config = {
  // Everything but the files of the build.
  matcher: ["/((?!_next/static/|icon\\.svg$).*)"],
};
