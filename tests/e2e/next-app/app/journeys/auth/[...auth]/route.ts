import { journeys } from "@/lib/journeys";

export const { GET, POST } = journeys.handlers;
