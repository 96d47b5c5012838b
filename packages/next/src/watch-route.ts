import { logWarning, type ResolvedConfig } from "@cardea/core/operations";
import { APP_PATH } from "./app-path.ts";

/**
 * Detects a route handler in a folder that does not match `basePath`, which answers 404 to everything. Returns a function to call
 * with the path of each request; it warns once, and only if no request fitted before, as with a handler for a wider catch-all.
 */
export function watchRoute(): (config: ResolvedConfig, path: string) => void {
  let isKnown = false;
  return (config, path) => {
    if (isKnown) return;
    isKnown = true;
    if (path.startsWith(`${config.receivedPath}/`)) return;
    const folder = config.receivedPath.slice(APP_PATH.length);
    logWarning(
      config,
      `route-path: the route handler received a request that is not below \`basePath\` (${config.receivedPath}), so it answers 404. Move it to app${folder}/[...auth]/route.ts, or set \`basePath\` to its path.`,
    );
  };
}
