import { journeys } from "@/lib/journeys";

export const POST = (): Promise<Response> => journeys.signOut({ redirectTo: "/journeys/session" });
