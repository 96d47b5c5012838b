import { logWarning, matchAction, type ResolvedConfig } from "@cardea/core/operations";
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";

/** Default base path (docs/behaviour.md#actions). */
export const DEFAULT_BASE_PATH = "/auth";

/** The same rule as for `basePath`: a mount with parameters contains text that the client sent. */
const MOUNT_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/**
 * A `basePath` in the configuration takes precedence; otherwise the endpoints are at the mount path, in exactly that
 * spelling.
 */
export function mountedAt(config: ResolvedConfig, mountPath: string): ResolvedConfig {
  const follows = config.receivedPath === DEFAULT_BASE_PATH && mountPath.toLowerCase() !== DEFAULT_BASE_PATH;
  if (!follows || !MOUNT_PATH.test(mountPath)) return config;
  return { ...config, basePath: `${config.strippedPrefix}${mountPath}`, receivedPath: mountPath };
}

/** Segments that are words or parameters, up to a wildcard. */
const BEFORE_WILDCARD = /^((?:\/(?::\w+|[^/:*{}()?+]+))*)\/?\{?\/?\*/;

/** The path of a route up to its wildcard, with the parameters of the request; in any other form up to the first parameter. */
export function routePathOf({ baseUrl, path, route }: ExpressRequest): string {
  const pattern: unknown = route?.path;
  if (typeof pattern !== "string") return baseUrl;
  const sent = path.split("/");
  const mount = BEFORE_WILDCARD.exec(pattern)?.[1] ?? pattern.replace(/\/?[{(*:].*$/, "");
  const segments = mount.split("/").map((segment, n) => (segment.startsWith(":") ? sent[n] : segment));
  return `${baseUrl}${segments.join("/")}`;
}

/** Detects mounts that cannot work, and logs each problem once. */
export interface MountWatch {
  /** Called when the guard is used. */
  readonly guards: () => void;
  /** Called when the guard lets a request for an endpoint pass, which the router must then handle. */
  readonly passed: (config: ResolvedConfig, req: ExpressRequest, res: ExpressResponse) => void;
  /** Called when the guard redirects a visitor to the sign-in page, which the router must then show. */
  readonly redirected: (config: ResolvedConfig) => void;
  /** Called when the router receives a request that is not below `mounted.basePath`. */
  readonly missed: (mounted: ResolvedConfig, mountPath: string) => void;
  /** Called when the router receives a request, at `mounted.basePath`. */
  readonly reached: (config: ResolvedConfig, mounted: ResolvedConfig, req: ExpressRequest, path: string) => void;
}

/** Creates the watch of one application. */
export function watchMounts(): MountWatch {
  const warned = new Set<string>();
  const served = new WeakSet<ExpressRequest>();
  let isGuarding = false;
  let redirects = 0;
  let isMounted = false;
  const warn = (config: ResolvedConfig, key: string, line: string) => {
    if (!warned.has(key)) logWarning(config, line);
    warned.add(key);
  };
  return {
    guards: () => {
      isGuarding = true;
    },
    passed: (config, req, res) => {
      res.once("finish", () => {
        const isAnswered = res.statusCode === 404 || res.statusCode < 300;
        if (isAnswered && !served.has(req)) warn(config, "guard", `router-mount: ${elsewhere(config)}`);
      });
    },
    redirected: (config) => {
      redirects += 1;
      // The first visitor may not have followed yet.
      const isMissing = redirects > 1 && !isMounted && config.pages.signIn === undefined;
      if (isMissing) warn(config, "guard", `router-mount: the router has received no request. ${elsewhere(config)}`);
    },
    missed: (mounted, mountPath) => {
      isMounted = true;
      const isAbove = `${mounted.receivedPath}/`.toLowerCase().startsWith(`${mountPath}/`.toLowerCase());
      if (!isAbove) warn(mounted, "missed", `router-mount: ${unreachable(mounted, mountPath)}`);
    },
    reached: (config, mounted, req, path) => {
      isMounted = true;
      served.add(req);
      const isElsewhere = mounted.basePath !== config.basePath && config.callbacks.authorized !== undefined;
      if (isGuarding && isElsewhere) warn(config, "guard", `router-mount: ${elsewhere(config)}`);
      const mount = workingMount(req, mounted, path);
      if (mount !== undefined) warn(config, "wildcard", `router-wildcard: ${wildcard(mount)}`);
    },
  };
}

const elsewhere = ({ receivedPath }: ResolvedConfig): string =>
  `\`auth\` expects the router at ${receivedPath || "/"}, but it is not mounted there. Mount it there, or set \`basePath\` to its mount path.`;

const unreachable = ({ receivedPath }: ResolvedConfig, mountPath: string): string =>
  `the router is mounted at ${mountPath}, but \`basePath\` (or the path of AUTH_URL) is ${receivedPath}, so it handles no request. Mount it at ${receivedPath}, or set \`basePath\` to ${mountPath}.`;

const wildcard = (mount: string): string =>
  `the router is mounted with a wildcard, so it receives no path. Mount it without the wildcard: app.use("${mount}", router).`;

/** Where the router should be mounted if a wildcard consumed the whole path, as `app.use("/auth/*", router)` does. */
function workingMount(req: ExpressRequest, mounted: ResolvedConfig, path: string): string | undefined {
  if (
    req.baseUrl !== path ||
    matchAction(req.method, path, mounted.receivedPath, mounted.extensions).kind !== "not-found"
  )
    return undefined;
  const segments = path.split("/");
  const ends = segments.map((_, index) => segments.slice(0, -1 - index).join("/"));
  return ends.find(
    (mount) => MOUNT_PATH.test(mount) && matchAction(req.method, path, mount, mounted.extensions).kind !== "not-found",
  );
}
