import { toResponse } from "./to-response.ts";

/**
 * The answer of a server whose configuration cannot be used, or does not say whether the host may be trusted: a page for browsers,
 * JSON for programs. Neither says what is wrong, nor repeats anything of the request.
 *
 * @param nonce makes random text, unknown to the client before.
 */
export async function brokenResponse(request: Request, nonce: () => string): Promise<Response> {
  const wantsPage = request.headers.get("accept")?.includes("text/html") === true;
  const page = { kind: "error", error: "Configuration", signInUrl: "/", homeUrl: "/" } as const;
  const message = "There is a problem with the configuration of this server. Its log says which.";
  const result = wantsPage
    ? ({ kind: "page", status: 500, page } as const)
    : ({ kind: "json", status: 500, body: { message } } as const);
  const frame = { cookies: [], theme: {}, texts: {}, origin: "", returnRedirect: false, nonce };
  const response = await toResponse(result, frame);
  return request.method === "HEAD" ? new Response(null, response) : response;
}
