import { once } from "node:events";
import { type IncomingMessage, request as open } from "node:http";

/**
 * A proxy in front of an application: everything goes on as it came, and the application is told where the person believes
 * to be. Not `fetch`, which says of itself in `Sec-Fetch-Mode` what the browser had said of its navigation.
 */
export function forwardTo(url: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search, host, protocol } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const { method } = request;
    const headers = { ...Object.fromEntries(request.headers), "content-length": String(body.length) };
    const forwarded = { "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) };
    const onward = open(`${url}${pathname}${search}`, { method, headers: { ...headers, ...forwarded } });
    onward.end(body);
    const [answer]: IncomingMessage[] = await once(onward, "response");
    return answer === undefined ? Response.error() : toResponse(answer);
  };
}

async function toResponse(answer: IncomingMessage): Promise<Response> {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const body = Buffer.concat(await answer.toArray());
  const { statusCode: status = 502 } = answer;
  return new Response([204, 304].includes(status) ? null : body, { status, headers });
}
