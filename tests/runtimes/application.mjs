// An application on web standards alone: `Request` in, `Response` out.
import { createAuth } from "@cardea/core";
import { createAuth as createReader } from "@cardea/core/read";
import { createConfig, createKeysConfig, describeRuntime, turnToken } from "./settings.mjs";

/** Makes the application for the environment of a runtime. */
export function createApplication(env) {
  const { handlers, auth } = createAuth(createConfig(env));
  const keys = createAuth(createKeysConfig(env));
  const routes = {
    "/read": createReader(createConfig(env)).auth((request) => Response.json(request.auth)),
    "/members": auth((request) => Response.json(request.auth)),
    "/jwt": async (request) => Response.json(await turnToken(await request.json(), env)),
    "/runtime": () => new Response(describeRuntime()),
  };
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/auth/")) return handlers.GET(request);
    if (pathname.startsWith("/keys/")) return keys.handlers.GET(request);
    const route = routes[pathname];
    return route === undefined ? new Response(null, { status: 404 }) : route(request);
  };
}
