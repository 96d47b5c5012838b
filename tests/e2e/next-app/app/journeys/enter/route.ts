import { CredentialsSignin } from "@cardea/next";
import { journeys } from "@/lib/journeys";

export async function POST(request: Request): Promise<Response> {
  try {
    return await journeys.signIn("credentials", await request.formData());
  } catch (error) {
    // A redirect of Next.js is an error, too.
    if (!(error instanceof CredentialsSignin)) throw error;
    return new Response(null, { status: 401 });
  }
}
