import { createRequestHandler, type ServerBuild } from "react-router";

type Modules = Readonly<Record<"root" | "auth" | "account" | "leave", object>>;

const paths = { auth: "auth/*", account: "account", leave: "leave" };

/** React Router's own request handler, over what its compiler would make of these modules. */
export function createApplication(modules: Modules): (request: Request) => Promise<Response> {
  const children = Object.entries(paths).map(([id, path]) => [id, { id, path, parentId: "root" }] as const);
  const routes = { root: { id: "root", path: "" }, ...Object.fromEntries(children) };
  const build = {
    ...{ ssr: true, isSpaMode: false, prerender: [], publicPath: "/", assetsBuildDirectory: "", basename: "/" },
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
    future: { v8_middleware: true },
    entry: { module: { default: renderPage } },
    routes: Object.fromEntries(
      Object.entries(routes).map(([id, route]) => [id, { ...route, module: Reflect.get(modules, id) }]),
    ),
    assets: { version: "1", url: "/", entry: { imports: [], module: "/" }, routes: manifestOf(routes) },
  };
  // A cast: what only browsers read is left out.
  return createRequestHandler(build as unknown as ServerBuild, "production");
}

/** What its compiler writes for the browser; the server reads whether a route has a loader. */
function manifestOf(routes: Readonly<Record<string, object>>): object {
  const all = { hasAction: true, hasLoader: true, imports: [], module: "/" };
  return Object.fromEntries(Object.entries(routes).map(([id, route]) => [id, { ...route, ...all }]));
}

/** In place of a page, what it would be rendered from. */
const renderPage: ServerBuild["entry"]["module"]["default"] = (_request, status, headers, context) =>
  Response.json(context.staticHandlerContext.loaderData, { status, headers });
