import * as core from "@cardea/core/operations";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request, and its reply if available. */
export type Exchange = readonly [request: FastifyRequest, reply: FastifyReply | undefined];

/** The origin as the server sees it. The `Host` header is passed on and validated by core. */
const originOf = ({ protocol }: FastifyRequest): string => `${protocol === "https" ? "https" : "http"}://localhost`;

const headersOf = ({ headers, raw }: FastifyRequest): Headers => core.nodeHeaders(headers, raw.rawHeaders);

/** The paths of a request as sent and as the router matches it, and its query; null if a guard could split it differently. */
function readTarget({ originalUrl, url, server }: FastifyRequest) {
  const options = Object(server.initialConfig);
  const hasSemicolons = options.useSemicolonDelimiter === true || options.routerOptions?.useSemicolonDelimiter === true;
  const sent = core.splitTarget(originalUrl, hasSemicolons);
  // `rewriteUrl` of the application changes what the router matches.
  const routed = core.splitTarget(url, hasSemicolons);
  return sent && routed && { paths: { sent: sent.path, routed: routed.path }, query: sent.query };
}

/** The request for the guard; null if it must be rejected. */
export function toGuardedRequest(request: FastifyRequest): core.GuardedRequest | null {
  const target = [request.originalUrl, request.url].every(core.isPlainTarget) ? readTarget(request) : null;
  const url = `${originOf(request)}/${target?.query ?? ""}`;
  return target && { ...target.paths, url, method: request.method, headers: headersOf(request) };
}

/** URL, method and headers of the request as it was sent. */
export function sentHead(request: FastifyRequest): core.NodeRequestHead {
  const target = readTarget(request);
  const url = `${originOf(request)}${target === null ? "/" : `${target.paths.sent}${target.query}`}`;
  return { url, method: request.method, headers: headersOf(request) };
}

/** A reply with the interface of a Node.js response, because Fastify appends cookies where Node.js replaces them. */
const toNodeAnswer = (reply: FastifyReply): core.NodeAnswer => ({
  getHeader: (name) => reply.getHeader(name),
  getHeaderNames: () => Object.keys(reply.getHeaders()),
  setHeader: (name, value) => reply.removeHeader(name).header(name, value),
  removeHeader: (name) => void reply.removeHeader(name),
  raw: reply.raw,
});

/**
 * Sends a Fetch API response. Its cookies replace earlier ones with the same name. Hooks that compress or log see its status, headers and
 * bytes: many do not know a `Response`.
 */
export async function sendResponse(reply: FastifyReply, given: Response): Promise<FastifyReply> {
  const { response, cookies } = core.takeCookies(given);
  core.addNodeCookies(toNodeAnswer(reply), { cookies });
  const body = response.body === null ? undefined : Buffer.from(await response.arrayBuffer());
  return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(body);
}

/** Connects core's operations to requests and replies. */
export const port: core.EventPort<Exchange, string> = {
  headOf: ([request]) => ({ url: `${originOf(request)}/`, headers: headersOf(request) }),
  isOpen: ([, reply]) => reply?.sent === false,
  setCookies: ([, reply], addition) => reply && core.addNodeCookies(toNodeAnswer(reply), addition),
  leave: (exchange, { url, cookies }, redirect) => {
    port.setCookies(exchange, { cookies });
    if (redirect) exchange[1]?.redirect(url, 302);
    return url;
  },
};
