import { journeys } from "@/lib/journeys";

export async function GET(): Promise<Response> {
  const session = await journeys.auth().catch(() => undefined);
  return session === undefined ? new Response(null, { status: 503 }) : Response.json(session);
}
