// Cardea, sharing the session with the version that the first argument names.
import { bridge } from "@cardea/bridge-authjs";
import { createAuth } from "@cardea/core";
import { defineExtension } from "@cardea/extend";
import { authorize, jwt, listen, send, toRequest } from "./common.mjs";

let facts = null;
/** Remembers the facts of the session that was read last. */
const watching = defineExtension({
  id: "watching",
  async checkSession(session) {
    facts = await session.facts();
    return "valid";
  },
});
const { handlers, auth } = createAuth({
  trustHost: true,
  basePath: "/api/auth",
  providers: [
    { id: "credentials", name: "Credentials", type: "credentials", credentials: { username: {} }, authorize },
  ],
  callbacks: { jwt },
  extensions: [bridge({ emit: process.argv[2] }), watching],
  logger: { warn: () => {} },
});

listen(async (req, res) => {
  const request = await toRequest(req);
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/api/auth/")) return send(res, await handlers[request.method](request));
  const headers = new Headers();
  const session = await auth(request, headers);
  if (pathname === "/facts") return send(res, Response.json(session === null ? "no session" : facts));
  return send(res, Response.json(session, { headers }));
});
