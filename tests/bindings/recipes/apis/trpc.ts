import { initTRPC, TRPCError } from "@trpc/server";
import { type FetchCreateContextFnOptions, fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { auth } from "./auth.ts";
import { isOwnRequest } from "./is-own-request.ts";

/** Reads the session once per request, and renews it in the response. */
async function createContext({ req, resHeaders }: FetchCreateContextFnOptions) {
  const session = await auth(req, resHeaders).catch((cause: unknown) => {
    throw new TRPCError({ code: "SERVICE_UNAVAILABLE", message: "Try again in a moment.", cause });
  });
  return { session };
}

const t = initTRPC.context<typeof createContext>().create();

/** Procedures for signed-in users: in them, `ctx.session` is not null. */
const signedIn = t.procedure.use(({ ctx, next }) => {
  if (ctx.session === null) throw new TRPCError({ code: "UNAUTHORIZED" });
  return next({ ctx: { session: ctx.session } });
});

export const router = t.router({
  name: signedIn.query(({ ctx }) => ctx.session.user?.name),
  save: signedIn.mutation(({ ctx }) => `saved for ${ctx.session.user?.name}`),
});

export function handleTrpc(req: Request): Response | Promise<Response> {
  if (req.method !== "GET" && !isOwnRequest(req)) return new Response(null, { status: 403 });
  return fetchRequestHandler({ endpoint: "/trpc", req, router, createContext });
}
