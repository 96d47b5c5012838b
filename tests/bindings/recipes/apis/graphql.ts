import type { Session } from "@cardea/core";
import { GraphQLError } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";
import { auth } from "./auth.ts";
import { isOwnRequest } from "./is-own-request.ts";

function requireUser({ session }: { session: Session | null }): Session {
  if (session === null) throw new GraphQLError("Sign in first.", { extensions: { http: { status: 401 } } });
  return session;
}

const schema = createSchema<{ session: Session | null }>({
  typeDefs: "type Query { name: String } type Mutation { save: String }",
  resolvers: {
    Query: { name: (_parent, _args, context) => requireUser(context).user?.name },
    Mutation: { save: (_parent, _args, context) => `saved for ${requireUser(context).user?.name}` },
  },
});

const yoga = createYoga<{ session: Session | null }>({ schema, graphqlEndpoint: "/graphql" });

export async function handleGraphql(request: Request): Promise<Response> {
  if (request.method !== "GET" && !isOwnRequest(request)) return new Response(null, { status: 403 });
  const renewed = new Headers();
  const session = await auth(request, renewed);
  const response = await yoga.fetch(request, { session });
  for (const cookie of renewed.getSetCookie()) response.headers.append("set-cookie", cookie);
  return response;
}
