// Routes, middleware and server actions of a Next.js application.
import { AuthError, type NextAuthRequest, type Session } from "@cardea/next";
import { getToken } from "@cardea/next/jwt";
import type { GetServerSideProps, GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next";
import { redirect } from "next/navigation";
import { type NextRequest, NextResponse } from "next/server";
import { auth, handlers, signIn, signOut } from "./next-auth";

// 27. app/api/auth/[...nextauth]/route.ts
export const { GET, POST } = handlers;

// 28. middleware.ts, as it is and around a function.
export { auth as middleware };
export default auth((req) => {
  const isApi = req.nextUrl.pathname.startsWith("/api");
  if (!req.auth && req.nextUrl.pathname !== "/login") {
    return Response.redirect(new URL("/login", req.nextUrl.origin));
  }
  return isApi ? NextResponse.json({ user: req.auth?.user.id }) : undefined;
});
export const chained = auth(async function middleware(req: NextAuthRequest) {
  const response = NextResponse.next();
  response.headers.set("x-user", req.auth?.user.role ?? "");
  return response;
});
export const silent = auth((req) => {
  console.log(req.auth);
});

// 29. Called inside one's own middleware.
export async function ownMiddleware(request: NextRequest) {
  const session = await auth();
  return session ? NextResponse.next() : NextResponse.redirect(new URL("/login", request.url));
}

// 30. Route handlers, with and without parameters.
export const list = auth(function GET(req) {
  if (req.auth) return NextResponse.json(req.auth);
  return NextResponse.json({ message: "Not authenticated" }, { status: 401 });
});
export const one = auth(async (req, ctx: { params: Promise<{ id: string }> }) => {
  const { id } = await ctx.params;
  return Response.json({ id, by: req.auth?.user.id });
});
export async function plainRoute() {
  const session = await auth();
  return Response.json({ email: session?.user?.email });
}

// 31. A route that signs in: nothing comes back.
export async function signInRoute(): Promise<Response> {
  return signIn("github");
}
export async function signOutRoute(): Promise<Response> {
  return signOut({ redirectTo: "/" });
}

// 32. Server actions in forms.
export function SignInForm() {
  return (
    <form
      action={async (formData) => {
        "use server";
        await signIn("credentials", formData);
      }}
    >
      <button type="submit">Sign in</button>
    </form>
  );
}
export const SignOut = () => (
  <form
    action={async () => {
      "use server";
      await signOut();
    }}
  />
);

// 33. An action that shows what failed.
export async function authenticate(_state: string | undefined, formData: FormData): Promise<string | undefined> {
  try {
    await signIn("credentials", formData);
  } catch (error) {
    if (error instanceof AuthError) {
      switch (error.type) {
        case "CredentialsSignin":
          return "Invalid credentials.";
        default:
          return "Something went wrong.";
      }
    }
    throw error;
  }
}

// 34. An action that stays on the page.
export async function stay(email: string, wanted: boolean) {
  const url = await signIn("nodemailer", { email, redirect: false });
  const out = await signOut({ redirect: false });
  const either: string = await signIn("github", { redirect: wanted });
  return redirect(url ?? out ?? either);
}

// 35. Parameters for the provider.
export const elevated = () =>
  signIn("google", { redirectTo: "/" }, { prompt: "consent", login_hint: "ann@example.com" });

// 36. getToken, in every form of request, with the secret of the environment.
export async function tokens(request: NextRequest, api: NextApiRequest) {
  const token = await getToken({ req: request, secret: process.env.AUTH_SECRET });
  const raw = await getToken({ req: api, secret: process.env.AUTH_SECRET, raw: true });
  const named = await getToken({ req: request, salt: "name", secret: "x", cookieName: "name", secureCookie: true });
  return [token?.role, raw?.length, named?.sub];
}

// 37. Pages Router.
export async function api(req: NextApiRequest, res: NextApiResponse) {
  const session = await auth(req, res);
  if (session) return res.json({ data: session.user.role });
  return res.status(401).end();
}
export const getServerSideProps: GetServerSideProps = async (context: GetServerSidePropsContext) => {
  const session: Session | null = await auth(context);
  return { props: { session } };
};

// 38. A server component.
export async function Page() {
  const session = await auth();
  if (!session?.user) redirect("/login");
  return <p>{session.user.role satisfies string}</p>;
}
