// Pages of SvelteKit that read the session of their event.
import { DECISIONS, session } from "./decisions.ts";
import type { Case } from "./forms.ts";

const CONFIG =
  '{ secret: process.env.AUTH_SECRET, trustHost: true, providers: [], session: { strategy: "jwt" }, callbacks: { session({ session, token }) { session.user.role = token.role; session.user.banned = token.banned; return session; } } }';

/** How a page calls a function of its event's `locals`. */
const READS: Readonly<Record<string, (name: string) => string>> = {
  member: (name) => `await event.locals.${name}()`,
  "optional call": (name) => `await event.locals.${name}?.()`,
  computed: (name) => `await event.locals["${name}"]()`,
  cast: (name) => `await (event.locals as any).${name}()`,
  destructured: (name) => `await (({ locals: { ${name} } }) => ${name}())(event)`,
  renamed: (name) => `await (({ ${name}: read }) => read())(event.locals)`,
  alias: (name) => `await (() => { const held = event.locals; return held.${name}(); })()`,
  "a helper in another file": (name) => `await ${name}Of(event)`,
  "try and catch": (name) =>
    `await (async () => { try { return await event.locals.${name}(); } catch { return null; } })()`,
};

const HELPERS =
  "export const authOf = (one) => one.locals.auth();\nexport const getSessionOf = ({ locals }) => locals.getSession();\n";

export function svelteKitCases(): readonly Case[] {
  return ["auth", "getSession"].flatMap((name) =>
    Object.entries(READS).flatMap(([spelling, read]) =>
      Object.entries(DECISIONS).map(
        ([decision, decide]): Case => ({
          form: `locals.${name}()`,
          former: "sveltekit",
          runs: "event",
          name: `${spelling}, ${decision}`,
          files: {
            "reads.ts": HELPERS,
            "guard.ts": `import { SvelteKitAuth } from "@auth/sveltekit";
import { authOf, getSessionOf } from "./reads";
const { handle } = SvelteKitAuth(${CONFIG});
const page = async (event) => {
  const held = ${read(name)};
  const allowed = await (async (who) => { ${decide(session("who"))} })(held);
  return new Response("page", { status: allowed ? 200 : 403 });
};
export default (event) => handle({ event, resolve: page });
`,
          },
        }),
      ),
    ),
  );
}
