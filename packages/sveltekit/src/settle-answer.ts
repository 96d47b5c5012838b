import * as core from "@cardea/core/operations";
import { isRedirect, type RequestEvent } from "@sveltejs/kit";

/**
 * Runs the rest of a request, and adds to its response what `event.locals` keeps: cookies, and `Cache-Control`.
 *
 * 1. A redirect that a later hook throws becomes a response: SvelteKit would write it with the cookies of `event.cookies` alone.
 * 2. SvelteKit's client reads redirects as JSON if it requested data, called a remote function, or submitted a form. SvelteKit would write
 *    the JSON for a redirect of a data request without the headers of the response.
 * 3. A response to which nothing is added stays as it is, and so does what was thrown.
 */
export async function settleAnswer(event: RequestEvent, run: () => Response | Promise<Response>): Promise<Response> {
  const outcome = await (async () => run())().catch((error: unknown) =>
    isRedirect(error) ? error : Promise.reject(error),
  );
  const isThrown = isRedirect(outcome);
  const { status, location } = isThrown
    ? outcome
    : { status: outcome.status, location: outcome.headers.get("location") };
  const answer = isThrown ? new Response(null, { status, headers: { location: outcome.location } }) : outcome;
  const response = core.settleResponse(answer, event.locals);
  if (response === answer && isThrown) throw outcome;
  const isForScript = event.isDataRequest || (isThrown && isScript(event));
  if (response === answer || location === null || !isForScript) return response;
  response.headers.delete("location");
  return Response.json({ type: "redirect", status, location }, { headers: response.headers });
}

/** A call of a remote function, or a form that `use:enhance` submitted. */
const isScript = (event: RequestEvent): boolean =>
  Reflect.get(event, "isRemoteRequest") === true || event.request.headers.get("x-sveltekit-action") === "true";
