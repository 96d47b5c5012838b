import { toResponse } from "./to-response.ts";

/**
 * The response of a server whose configuration is invalid, or that cannot decide whether the host is trusted: a page for
 * browsers, JSON for API clients. It neither reveals the problem nor repeats any part of the request.
 *
 * @param nonce creates random text that the client does not know yet.
 */
export async function brokenResponse(
  request: Pick<Request, "method" | "headers">,
  nonce: () => string,
): Promise<Response> {
  const wantsPage = request.headers.get("accept")?.includes("text/html") === true;
  const page = { kind: "error", error: "Configuration", signInUrl: "/", homeUrl: "/" } as const;
  const message = "This server is misconfigured. See its log for details.";
  const result = wantsPage
    ? ({ kind: "page", status: 500, page } as const)
    : ({ kind: "json", status: 500, body: { message } } as const);
  const frame = { cookies: [], theme: {}, texts: {}, origin: "", returnRedirect: false, nonce };
  const response = await toResponse(result, frame);
  return request.method === "HEAD" ? new Response(null, response) : response;
}
