export { auth as proxy } from "@/lib/auth";

export const config = {
  // What is below /free/ is left to its handlers.
  matcher: ["/((?!free/|_next/static/).*)"],
};
