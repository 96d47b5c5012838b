// next-auth 5, as a Next.js application has it: handlers of its routes, and `auth()` around the others.

import { NextRequest } from "next/server";
import NextAuth from "next-auth-5";
import Credentials from "next-auth-5/providers/credentials";
import { authorize, jwt, listen, send, toRequest } from "./common.mjs";

const { handlers, auth } = NextAuth({
  trustHost: true,
  basePath: "/api/auth",
  providers: [Credentials({ credentials: { username: {} }, authorize })],
  callbacks: { jwt },
});
const read = auth((req) => Response.json(req.auth));

listen(async (req, res) => {
  const request = await toRequest(req, NextRequest);
  const isAction = request.nextUrl.pathname.startsWith("/api/auth/");
  await send(res, isAction ? await handlers[request.method](request) : await read(request, {}));
});
