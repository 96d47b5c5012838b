import { countRun, journeys } from "@/lib/journeys";

async function answer(): Promise<Response> {
  countRun();
  return new Response(`SECRET of ${(await journeys.auth())?.user?.name}`);
}

export { answer as DELETE, answer as GET, answer as OPTIONS, answer as PATCH, answer as POST, answer as PUT };
