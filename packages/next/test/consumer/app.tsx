// Every form of `auth`, as an application uses it.

import { createClient } from "@cardea/next/react";
import type { GetServerSideProps, NextApiRequest, NextApiResponse } from "next";
import { type NextRequest, NextResponse } from "next/server.js";
import { auth, plain, signIn, signOut, unstable_update } from "./auth.ts";

export const { SessionProvider, useSession } = createClient<typeof auth>();

export async function Page() {
  const session = await auth();
  // @ts-expect-error what no one put there is not there
  session?.nothing;
  return <p>{session === null ? "visitor" : `${session.user?.name} ${session.id} ${session.plan}`}</p>;
}

export function Badge() {
  const { data, update } = useSession();
  return (
    <button type="button" onClick={() => update({ name: "Ann" })}>
      {data?.role}
    </button>
  );
}

export const GET = auth((request) => Response.json(request.auth?.id));

export const POST = auth(async (request, { params }: { params: Promise<{ id: string }> }) => {
  const { id } = await params;
  return NextResponse.json(request.auth?.id === id);
});

export const proxy = auth((request) => {
  if (request.auth?.role !== "writer") return NextResponse.redirect(new URL("/", request.nextUrl));
});

export const loose = auth(async (request) => {
  if (request.auth === null) return NextResponse.redirect(new URL("/", request.nextUrl));
});

export { auth as middleware };

export default async function api(req: NextApiRequest, res: NextApiResponse) {
  res.json((await auth(req, res))?.role);
}

export const getServerSideProps: GetServerSideProps<{ id: string | null }> = async (context) => {
  const session = await auth(context);
  return { props: { id: session?.id ?? null } };
};

export async function enter(form: FormData) {
  "use server";
  await signIn("credentials", form);
  await signIn("github", { redirectTo: "/" }, { login_hint: "ann" });
}

export const leave = () => signOut({ redirectTo: "/" });
export const rename = (name: string) => unstable_update({ user: { name } });
export const planOf = async () => (await plain.auth())?.plan;
export const handle = (request: NextRequest) => plain.handlers.GET(request);
