// Handlers of Hono that read `authUser`.
import { claims, DECISIONS, session } from "./decisions.ts";
import type { Case } from "./forms.ts";

const CONFIG =
  '{ secret: process.env.AUTH_SECRET, basePath: "/api/auth", trustHost: true, providers: [], session: { strategy: "jwt" }, callbacks: { session({ session, token }) { session.user.role = token.role; session.user.banned = token.banned; return session; } } }';

/** How a handler reads `authUser`, with what it needs in another file. */
const READS: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>?]>> = {
  "c.get()": ['c.get("authUser")'],
  "c.var": ["c.var.authUser"],
  "a computed member": ['c["var"]["authUser"]'],
  "a constant name": ["c.get(NAME)"],
  cast: ['(c.get("authUser") as any)'],
  spread: ['{ ...c.get("authUser") }'],
  destructured: ["(({ authUser }) => authUser)(c.var)"],
  "getAuthUser()": ["(await getAuthUser(c))"],
  "a helper in another file": ["userOf(c)"],
  "an alias": ['(() => { const held = c.get("authUser"); return held; })()'],
};

const HELPER = 'export const userOf = (c) => c.get("authUser");\n';

/** Members of `authUser`, with what decisions are made from. */
const MEMBERS = { token: claims, session } as const;

export function honoCases(): readonly Case[] {
  return Object.entries(MEMBERS).flatMap(([member, subject]) =>
    Object.entries(READS).flatMap(([spelling, [read]]) =>
      [`?.${member}`, `?.["${member}"]`].flatMap((access) =>
        Object.entries(DECISIONS).map(([decision, decide]): Case => {
          const text = `import { Hono } from "hono";
import { authHandler, getAuthUser, initAuthConfig, verifyAuth } from "@hono/auth-js";
import { userOf } from "./reads";
const NAME = "authUser";
const app = new Hono();
app.use("*", initAuthConfig(() => (${CONFIG})));
app.use("/api/auth/*", authHandler());
app.use("/members", verifyAuth());
app.all("/members", async (c) => {
  const held = (${read})${access};
  const allowed = await (async (who) => { ${decide(subject("who"))} })(held);
  return allowed ? c.text("page") : c.text("denied", 403);
});
export default (request) => app.fetch(request);
`;
          const name = `${spelling}${access}, ${decision}`;
          return {
            form: `authUser.${member}`,
            former: "hono",
            runs: "fetch",
            name,
            files: { "guard.ts": text, "reads.ts": HELPER },
          };
        }),
      ),
    ),
  );
}
