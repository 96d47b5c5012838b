import { isAuthError } from "@cardea/next";
import { redirect } from "next/navigation";
import type { NextRequest } from "next/server";
import { auth, broken, lazy, odd, signIn, signOut, unstable_update } from "./auth";

interface Context {
  readonly params: Promise<{ row: string }>;
}

const secret = () => new Response("SECRET");
const everyone = { "cache-control": "public, s-maxage=600", "cdn-cache-control": "max-age=600" };

/** One row of the specification's table each (spec 4.2), in whatever runtime the route has. */
const READS: Readonly<Record<string, (request: NextRequest, context: Context) => Promise<Response>>> = {
  auth: async () => Response.json([await auth(), await auth()]),
  handler: auth((request) => Response.json(request.auth)),
  params: auth(async (request, { params }: Context) => Response.json([request.auth?.name, (await params).row])),
  lazy: async () => Response.json(await lazy.auth()),
  "lazy-handler": lazy.auth((request) => Response.json(request.auth)),
  cached: auth(() => new Response("for everyone", { headers: everyone })),
  guarded: auth(secret),
  unavailable: async () => Response.json(await auth().catch(describe)),
  odd: odd.auth((request) => Response.json(request.auth)),
  "odd-auth": async () => Response.json(await odd.auth()),
  redirects: auth(() => redirect("/elsewhere")),
  "broken-auth": async () => Response.json(await broken.auth().catch(describe)),
  "broken-handler": broken.auth(secret),
  "leave-behind": auth(async (request) => {
    await signOut({ redirect: false });
    return Response.json(request.auth);
  }),
  "own-cookie": auth(() => new Response(null, { headers: { "set-cookie": "theirs=100%25; Path=/" } })),
};

const WRITES: Readonly<Record<string, (request: NextRequest) => Promise<Response>>> = {
  "sign-in": async (request) => {
    await signIn("credentials", await request.formData());
    return new Response("not reached");
  },
  "sign-in-page": async () => new Response(await signIn(undefined, { redirectTo: "/members" })),
  "sign-in-url": async (request) => {
    const fields = Object.fromEntries(await request.formData());
    return Response.json(await signIn("credentials", { ...fields, redirect: false }));
  },
  "sign-in-error": async (request) => {
    const error: unknown = await signIn("credentials", await request.formData()).catch((thrown: unknown) => thrown);
    if (!isAuthError(error)) throw error;
    return Response.json(describe(error));
  },
  "sign-in-op": async () => Response.json(await signIn("op", { redirect: false })),
  "sign-in-odd": async (request) => Response.json(await odd.signIn("credentials", await request.formData())),
  "update-odd": async (request) => Response.json(await odd.unstable_update(await request.json())),
  "sign-out": async () => new Response(await signOut({ redirectTo: "/bye" })),
  "sign-out-url": async () => Response.json(await signOut({ redirect: false, redirectTo: "/bye" })),
  update: async (request) => Response.json(await unstable_update(await request.json())),
};

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  const { row } = await context.params;
  return READS[row]?.(request, context) ?? new Response(null, { status: 404 });
}

export async function POST(request: NextRequest, context: Context): Promise<Response> {
  const { row } = await context.params;
  return WRITES[row]?.(request) ?? new Response(null, { status: 404 });
}

function describe(error: unknown): unknown {
  return isAuthError(error) ? { type: error.type, code: "code" in error ? error.code : null } : String(error);
}
