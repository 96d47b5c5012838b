import { readRuns } from "@/lib/journeys";

export const dynamic = "force-dynamic";

export const GET = () => Response.json(readRuns());
