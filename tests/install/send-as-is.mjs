// Node's `fetch` calls everything it sends a script's request (Sec-Fetch-Mode: cors). A browser's navigation has to arrive as one.
import { request as open } from "node:http";

/** Sends a request with exactly the headers that it has, and resolves to the response; follows no redirect. */
export async function sendAsIs(request) {
  const body = Buffer.from(await request.arrayBuffer());
  const headers = Object.fromEntries(request.headers);
  return new Promise((resolve, reject) => {
    const outgoing = open(request.url, { method: request.method, headers }, (incoming) => {
      const chunks = [];
      incoming.on("data", (chunk) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => resolve(toResponse(incoming, Buffer.concat(chunks))));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function toResponse({ statusCode: status, rawHeaders }, body) {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index], rawHeaders[index + 1]);
  return new Response(body.length === 0 ? null : body, { status, headers });
}
