// The forms of a guard, and what each is written in.
import { claims, DECISIONS, type Decision, type Shape, SPELLINGS, session } from "./decisions.ts";

/** One small application. */
export interface Case {
  readonly form: string;
  readonly name: string;
  readonly former: "v4" | "v5" | "express" | "hono" | "sveltekit";
  /**
   * `middleware` by default; a page of the App Router, an API route, a Fetch handler, an event, or the routes of a sign-in with a password,
   * each an application of its own.
   */
  readonly runs?: "page" | "api" | "fetch" | "event" | "sign-in" | undefined;
  /** How sessions are stored; default: `jwt`. The token of a row is the name of its user. */
  readonly sessions?: "jwt" | "database";
  /** Whether its configuration is a whole one, which is moved alone. */
  readonly isAlone?: boolean;
  /** Its files, by name in its folder; `guard.ts` exports the middleware as `default`. */
  readonly files: Readonly<Record<string, string>>;
}

const V4: Shape = { given: "token", members: 'pages: { signIn: "/login" },', callbacks: "" };

const V5: Shape = {
  given: "auth",
  members: 'providers: [], session: { strategy: "jwt" }, pages: { signIn: "/login" },',
  callbacks:
    "session({ session, token }) { session.user.role = token.role; session.user.banned = token.banned; return session; },",
};

const NEXT = 'import { NextResponse } from "next/server";\n';
const WITH_AUTH = `${NEXT}import { withAuth } from "next-auth/middleware";\n`;
const NEXT_AUTH = `${NEXT}import NextAuth from "next-auth";\n`;

/** Sends those whom the rule denies to another page. */
const DENIED = 'NextResponse.redirect(new URL("/denied", req.url))';

type Form = (before: string, options: string) => string;

/** Guards whose decision is `callbacks.authorized`. */
const BY_OPTIONS: Readonly<Record<string, { readonly former: Case["former"]; readonly write: Form }>> = {
  "withAuth(options)": {
    former: "v4",
    write: (before, options) => `${WITH_AUTH}${before}export default withAuth(${options});\n`,
  },
  "withAuth(handler, options)": {
    former: "v4",
    write: (before, options) =>
      `${WITH_AUTH}${before}export default withAuth(function middleware(req) { if (req.nextauth.token === null) return ${DENIED}; }, ${options});\n`,
  },
  "withAuth(req, options) called inside": {
    former: "v4",
    write: (before, options) =>
      `${WITH_AUTH}import { getToken } from "next-auth/jwt";\n${before}export default async function middleware(req) {\n  const answer = await withAuth(req, ${options});\n  if (answer) return answer;\n  const token = await getToken({ req });\n  if (token?.banned && req.nextUrl.pathname === "/members") return ${DENIED};\n}\n`,
  },
  "withAuth composed": {
    former: "v4",
    write: (before, options) =>
      `${WITH_AUTH}${before}const guard = withAuth((req) => { if (req.nextauth.token?.banned) return ${DENIED}; return NextResponse.next(); }, ${options});\nconst chain = (...all) => async (req, event) => { for (const one of all) { const answer = await one(req, event); if (answer) return answer; } };\nexport default chain((req) => (req.nextUrl.pathname === "/open" ? NextResponse.next() : undefined), guard);\n`,
  },
  "auth as middleware": {
    former: "v5",
    write: (before, options) => `${NEXT_AUTH}${before}const { auth } = NextAuth(${options});\nexport default auth;\n`,
  },
  "auth of the result": {
    former: "v5",
    write: (before, options) => `${NEXT_AUTH}${before}export default NextAuth(${options}).auth;\n`,
  },
  "auth(handler) with authorized": {
    former: "v5",
    write: (before, options) =>
      `${NEXT_AUTH}${before}const { auth } = NextAuth(${options});\nexport default auth((req) => { if (!req.auth) return ${DENIED}; });\n`,
  },
};

/** Ways to read a member of the request in a handler. */
const READS: Readonly<
  Record<string, (member: string) => { readonly parameter: string; readonly text: string; readonly value: string }>
> = {
  member: (member) => ({ parameter: "req", text: "", value: `req.${member}` }),
  "optional member": (member) => ({ parameter: "req", text: "", value: `req?.${member}` }),
  computed: (member) => ({ parameter: "req", text: "", value: `req["${member}"]` }),
  cast: (member) => ({ parameter: "req", text: "", value: `(req as any).${member}` }),
  destructured: (member) => ({ parameter: "req", text: `const { ${member} } = req;`, value: member }),
  renamed: (member) => ({ parameter: "req", text: `const { ${member}: held } = req;`, value: "held" }),
  alias: (member) => ({ parameter: "req", text: "const one = req;", value: `one.${member}` }),
  "a helper": (member) => ({ parameter: "req", text: "", value: `read${member}(req)` }),
};

const HELPERS = {
  "reads.ts": "export const readauth = (req) => req.auth;\nexport const readnextauth = (req) => req.nextauth;\n",
};
const HELPER = 'import { readauth, readnextauth } from "./reads";\n';

/** A handler that decides by itself, with the body of a decision. */
function handlerOf(read: keyof typeof READS, member: string, suffix: string, of: (name: string) => string): string {
  const { parameter, text, value } = READS[read]?.(member) ?? { parameter: "req", text: "", value: `req.${member}` };
  return `async (${parameter}) => { ${text} const held_ = ${value}${suffix}; const allowed = await (async (who) => { ${of("who")} })(held_); if (!allowed) return ${DENIED}; return NextResponse.next(); }`;
}

/** Wraps of the handler. */
const WRAPS: Readonly<Record<string, (wrapper: string, handler: string, more: string) => string>> = {
  inline: (wrapper, handler, more) => `export default ${wrapper}(${handler}${more});\n`,
  identifier: (wrapper, handler, more) => `const handler = ${handler};\nexport default ${wrapper}(handler${more});\n`,
  cast: (wrapper, handler, more) => `export default ${wrapper}((${handler}) as any${more}) as any;\n`,
  composed: (wrapper, handler, more) =>
    `const inner = ${wrapper}(${handler}${more});\nexport default (req, event) => inner(req, event);\n`,
};

/** Every application of the forms that are middleware. */
export function middlewareCases(): readonly Case[] {
  const byOptions = Object.entries(BY_OPTIONS).flatMap(([form, { former, write }]) =>
    Object.entries(SPELLINGS).flatMap(([spelling, spell]) =>
      Object.entries(DECISIONS).map(([decision, decide]): Case => {
        const shape = former === "v4" ? V4 : V5;
        const subject = former === "v4" ? claims : session;
        const { before, options, files } = spell(shape, (name) => decide(subject(name)));
        return {
          form,
          former,
          name: `${spelling}, ${decision}`,
          files: { ...files, "guard.ts": write(before, options) },
        };
      }),
    ),
  );
  return [...byOptions, ...handlerCases(), ...tokenCases()];
}

function handlerCases(): readonly Case[] {
  return Object.keys(READS).flatMap((read) =>
    Object.entries(WRAPS).flatMap(([wrap, write]) =>
      Object.entries(DECISIONS).flatMap(([decision, decide]: [string, Decision]): Case[] => {
        const name = `${read}, ${wrap}, ${decision}`;
        const v4 = handlerOf(read, "nextauth", ".token", (who) => decide(claims(who)));
        const v5 = handlerOf(read, "auth", "", (who) => decide(session(who)));
        const options = `{ ${V5.members} callbacks: { ${V5.callbacks} } }`;
        return [
          {
            form: "req.nextauth",
            former: "v4",
            name,
            files: {
              ...HELPERS,
              "guard.ts": `${WITH_AUTH}${HELPER}${write("withAuth", v4, ", { callbacks: { authorized: () => true } }")}`,
            },
          },
          {
            form: "auth(handler)",
            former: "v5",
            name,
            files: {
              ...HELPERS,
              "guard.ts": `${NEXT_AUTH}${HELPER}const { auth } = NextAuth(${options});\n${write("auth", v5, "")}`,
            },
          },
        ];
      }),
    ),
  );
}

const SECRET_OPTION = "secret: process.env.AUTH_SECRET";

/** Spellings of `getToken()`: import, call. */
const TOKENS: Readonly<Record<string, readonly [string, string, Readonly<Record<string, string>>?]>> = {
  plain: ['import { getToken } from "next-auth/jwt";', `getToken({ req, ${SECRET_OPTION} })`],
  renamed: ['import { getToken as read } from "next-auth/jwt";', `read({ req, ${SECRET_OPTION} })`],
  namespace: ['import * as jwt from "next-auth/jwt";', `jwt.getToken({ req, ${SECRET_OPTION} })`],
  cast: ['import { getToken } from "next-auth/jwt";', `getToken({ req, ${SECRET_OPTION} } as any)`],
  quoted: ['import { getToken } from "next-auth/jwt";', `getToken({ "req": req, "secret": process.env.AUTH_SECRET })`],
  computed: [
    'import { getToken } from "next-auth/jwt";',
    `getToken({ ["req"]: req, ["secret"]: process.env.AUTH_SECRET })`,
  ],
  shorthand: [
    'import { getToken } from "next-auth/jwt";\nconst secret = process.env.AUTH_SECRET;',
    "getToken({ req, secret })",
  ],
  spread: [
    `import { getToken } from "next-auth/jwt";\nconst base = { ${SECRET_OPTION} };`,
    "getToken({ ...base, req })",
  ],
  variable: [
    'import { getToken } from "next-auth/jwt";',
    `(() => { const params = { req, ${SECRET_OPTION} }; return getToken(params); })()`,
  ],
  "a helper in another file": [
    'import { tokenOf } from "./token";',
    "tokenOf(req)",
    {
      "token.ts": `import { getToken } from "next-auth/jwt";\nexport const tokenOf = (req) => getToken({ req, ${SECRET_OPTION} });\n`,
    },
  ],
  "import()": ["", `(await import("next-auth/jwt")).getToken({ req, ${SECRET_OPTION} })`],
  "import(), followed": ["", `import("next-auth/jwt").then(({ getToken: read }) => read({ req, ${SECRET_OPTION} }))`],
  required: ['const jwt = require("next-auth/jwt");', `jwt["getToken"]({ req, ${SECRET_OPTION} })`],
  "re-exported": [
    'import { read } from "./read";',
    `read({ req, ${SECRET_OPTION} })`,
    { "read.ts": 'export * from "./more";\n', "more.ts": 'export { getToken as read } from "next-auth/jwt";\n' },
  ],
};

function tokenCases(): readonly Case[] {
  return Object.entries(TOKENS).flatMap(([spelling, [head, call, files = {}]]) =>
    Object.entries(DECISIONS).flatMap(([decision, decide]) =>
      (["v4", "v5"] as const).map((former): Case => {
        const body = decide(claims("who"));
        const text = `${NEXT}${head}\nexport default async function middleware(req) {\n  const token = await ${call};\n  const allowed = await (async (who) => { ${body} })(token);\n  if (!allowed) return ${DENIED};\n}\n`;
        return {
          form: `getToken() of ${former}`,
          former,
          name: `${spelling}, ${decision}`,
          files: { ...files, "guard.ts": text },
        };
      }),
    ),
  );
}
