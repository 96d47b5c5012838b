export { proxyOfAll as proxy } from "@/lib/proxies";

export const config = {
  // What is below /free/ is left to its handlers.
  matcher: ["/((?!free/|_next/static/).*)"],
};
