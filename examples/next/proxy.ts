// In front of every page: renews sessions, and asks `callbacks.authorized`. It needs the whole configuration, because a session is
// checked by the second factor and its store.
export { auth as proxy } from "@/auth";

export const config = {
  // Everything but the files of the build.
  matcher: ["/((?!_next/static/|icon\\.svg$).*)"],
};
