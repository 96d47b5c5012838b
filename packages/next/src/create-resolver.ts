import { type ConfigResolver, type createConfigResolver, requireServer } from "@cardea/core/operations";
import type { NextRequest } from "next/server.js";
import { APP_PATH } from "./app-path.ts";
import { assume } from "./assume.ts";
import { publicRequest } from "./public-request.ts";
import type { NextConfigSource } from "./types.ts";

const CLIENT_COMPONENT =
  "In a client component, use useSession(), signIn() and signOut() of @cardea/next/react, or pass the session as a prop from a server component.";

/**
 * Creates the resolver of an application. While the application is built, a configuration is resolved by the first request.
 *
 * @param create the resolver of core: the default one, or the one that only reads.
 * @throws InvalidConfiguration in a browser; whatever `create` throws.
 */
export function createResolver<S>(create: typeof createConfigResolver, config: NextConfigSource<S>): ConfigResolver {
  requireServer(CLIENT_COMPONENT);
  const isBuilding = process.env.NEXT_PHASE === "phase-production-build";
  const source = isBuilding && typeof config !== "function" ? () => config : config;
  // The resolver passes on requests of Next.js, which all our calls give it.
  const show = (request: Request) => publicRequest(assume<NextRequest>(request));
  return create(source, "/api/auth", { appPath: APP_PATH, show });
}
