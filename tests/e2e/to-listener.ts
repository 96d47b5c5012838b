import type { IncomingMessage, RequestListener } from "node:http";

/** Serves a function of the Fetch API with Node's servers, as it would be without a framework. */
export function toListener(
  answer: (request: Request) => Promise<Response>,
  originOf: (incoming: IncomingMessage) => string,
): RequestListener {
  return async (incoming, outgoing) => {
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const request = new Request(new URL(incoming.url ?? "/", originOf(incoming)), {
      method: incoming.method ?? "GET",
      headers,
      body: await bodyOf(incoming),
    });
    const response = await answer(request);
    for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
    outgoing.setHeader("set-cookie", response.headers.getSetCookie());
    outgoing.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return parts.length === 0 ? null : new Uint8Array(Buffer.concat(parts));
}
