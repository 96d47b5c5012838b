import { createAuth } from "@cardea/next";
import { config } from "./config";

export const { handlers, auth, signIn, signOut, unstable_update } = createAuth(config);

/** The same, made for each request. */
export const lazy = createAuth(async (request) => ({
  ...config,
  callbacks: {
    ...config.callbacks,
    session: ({ session }) => ({ name: session.user.name, seenPath: request?.nextUrl.pathname ?? null }),
    authorized: ({ auth: session }) => session !== null,
  },
}));

/** A configuration that names a provider and not who we are there. */
export const broken = createAuth(() => ({
  ...config,
  providers: [{ id: "half", name: "Half", type: "oauth", authorization: "https://half.example/authorize" }],
}));
