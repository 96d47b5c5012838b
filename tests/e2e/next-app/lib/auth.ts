import { createAuth, type JWT } from "@cardea/next";
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

/** Tokens of the application's own, with characters that no cookie can hold as they are. */
export const odd = createAuth({
  ...config,
  cookies: { sessionToken: { name: "odd-session" } },
  jwt: {
    encode: ({ token }) => `odd: 50% ${JSON.stringify(token)}`,
    decode: ({ token }) => parseClaims(token?.slice("odd: 50% ".length)),
  },
});

function parseClaims(text: string | undefined): JWT | null {
  return text === undefined ? null : JSON.parse(text);
}

/** A configuration that names a provider and not who we are there. */
export const broken = createAuth(() => ({
  ...config,
  providers: [{ id: "half", name: "Half", type: "oauth", authorization: "https://half.example/authorize" }],
}));
