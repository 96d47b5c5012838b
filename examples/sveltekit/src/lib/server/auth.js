import { SvelteKitAuth } from "@cardea/sveltekit";

const MEMBERS = /^\/members(?:\/|$)/;

// AUTH_SECRET, AUTH_URL, AUTH_LOCAL_ISSUER, AUTH_LOCAL_ID and AUTH_LOCAL_SECRET come from the environment (../../../start.mjs).
export const { handle, signIn, signOut } = SvelteKitAuth({
  providers: [{ id: "local", name: "Local provider", type: "oidc" }],
  callbacks: {
    authorized: ({ auth, request }) => auth !== null || !MEMBERS.test(new URL(request.url).pathname),
  },
});
