import { request as httpRequest, type IncomingMessage } from "node:http";

/** Sends a browser's requests unchanged to an application on this machine; `fetch` would add headers and hide redirects. */
export const sendTo =
  (port: string, proxied: Readonly<Record<string, string>> = {}) =>
  async (request: Request): Promise<Response> => {
    const { pathname, search, host } = new URL(request.url);
    const headers = { host, ...proxied, ...Object.fromEntries(request.headers) };
    const body = Buffer.from(await request.arrayBuffer());
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, method: request.method, path: `${pathname}${search}`, headers };
      httpRequest(options, resolve).once("error", reject).end(body);
    });
    return toResponse(incoming, request.method);
  };

async function toResponse(incoming: IncomingMessage, method: string): Promise<Response> {
  const body = Buffer.concat(await incoming.toArray());
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 0;
  const isEmpty = method === "HEAD" || [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : body, { status, headers });
}
