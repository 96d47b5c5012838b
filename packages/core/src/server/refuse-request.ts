import { pathOfUrl } from "../protocol/request-path.ts";
import { nodeHost } from "../request/node-request.ts";
import { refuseHost } from "./refuse-host.ts";
import { refusePath } from "./refuse-path.ts";

/**
 * {@link refusePath} and {@link refuseHost} for a `Request`.
 *
 * @param incoming the request of Node.js, if a server keeps one of several hosts and passes this request on.
 */
export function refuseRequest({ url, headers }: Pick<Request, "url" | "headers">, incoming?: unknown): Response | null {
  const { rawHeaders } = Object(incoming);
  return refusePath(pathOfUrl(url)) ?? refuseHost(nodeHost({ host: headers.get("host") ?? undefined }, rawHeaders));
}
