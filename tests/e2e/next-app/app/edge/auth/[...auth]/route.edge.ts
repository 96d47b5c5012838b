import { createAuth } from "@cardea/next";
import { config } from "@/lib/config";

export const runtime = "edge";
export const { GET, POST } = createAuth({ ...config, basePath: "/edge/auth" }).handlers;
