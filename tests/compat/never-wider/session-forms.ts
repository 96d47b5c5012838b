// Pages that read the session of one of the application's configurations.
import { DECISIONS, session } from "./decisions.ts";
import type { Case } from "./forms.ts";

/** The secret and the cookie of the second configuration, and the name that `adopt` gives the cookie of Cardea. */
export const ADMIN = {
  secret: "another secret of more than thirty-two bytes",
  cookie: "admin-session",
  ours: "cardea.admin-session",
} as const;

const CALLBACKS =
  "callbacks: { session({ session, token }) { session.user.role = token.role; session.user.banned = token.banned; return session; } }";
const MEMBERS = `secret: process.env.AUTH_SECRET, session: { strategy: "jwt" }, providers: [], ${CALLBACKS}`;
const ADMIN_MEMBERS = `secret: "${ADMIN.secret}", cookies: { sessionToken: { name: "${ADMIN.cookie}", options: { httpOnly: true, sameSite: "lax", path: "/" } } }, session: { strategy: "jwt" }, providers: [], ${CALLBACKS}`;

const AUTH = `export const authOptions = { ${MEMBERS} };\nexport const adminOptions = { ${ADMIN_MEMBERS} };\n`;
const route = (options: string) =>
  `import NextAuth from "next-auth";\nimport { ${options} } from "../../../../auth";\nconst handler = NextAuth(${options});\nexport { handler as GET, handler as POST };\n`;

/** What is in front of the page, and the options in the call. */
interface Given {
  readonly head: string;
  readonly options: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The call, if it is another one. */
  readonly call?: string;
}

const from = (options: string) => `import { ${options} } from "./auth";`;

const LIBRARY = 'import { getServerSession } from "next-auth";';

const OPTIONS: Readonly<Record<string, (name: string) => Given>> = {
  identifier: (name) => ({ head: `${LIBRARY}${from(name)}`, options: name }),
  cast: (name) => ({ head: `${LIBRARY}${from(name)}`, options: `${name} as any` }),
  satisfies: (name) => ({ head: `${LIBRARY}${from(name)}`, options: `(${name} satisfies object)!` }),
  "type assertion": (name) => ({ head: `${LIBRARY}${from(name)}`, options: `<any>${name}` }),
  copy: (name) => ({ head: `${LIBRARY}${from(name)}`, options: `{ ...${name} }` }),
  "renamed import": (name) => ({ head: `${LIBRARY}import { ${name} as given } from "./auth";`, options: "given" }),
  namespace: (name) => ({ head: `${LIBRARY}import * as all from "./auth";`, options: `all.${name}` }),
  "computed member of a namespace": (name) => ({
    head: `${LIBRARY}import * as all from "./auth";`,
    options: `all["${name}"]`,
  }),
  "another constant": (name) => ({ head: `${LIBRARY}${from(name)}\nconst given = ${name};`, options: "given" }),
  "a constant in the function": (name) => ({
    head: `${LIBRARY}${from(name)}`,
    options: "given",
    call: `await (async () => { const given = ${name}; return getServerSession(ARGS); })()`,
  }),
  "re-exported": (name) => ({
    head: `${LIBRARY}import { given } from "./options";`,
    options: "given",
    files: { "options.ts": `export { ${name} as given } from "./auth";\n` },
  }),
  "shorthand member": (name) => ({ head: `${LIBRARY}${from(name)}\nconst all = { ${name} };`, options: `all.${name}` }),
  "quoted member": (name) => ({ head: `${LIBRARY}${from(name)}\nconst all = { "one": ${name} };`, options: "all.one" }),
  "computed member": (name) => ({
    head: `${LIBRARY}${from(name)}\nconst all = { ["one"]: ${name} };`,
    options: 'all["one"]',
  }),
  "a helper in another file": (name) => ({
    head: 'import { read } from "./read";',
    options: name,
    call: "await read()",
    files: { "read.ts": `${LIBRARY}${from(name)}\nexport const read = async () => getServerSession(${name});\n` },
  }),
  "renamed function": (name) => ({
    head: `import { getServerSession as read } from "next-auth";${from(name)}`,
    options: name,
    call: "await read(ARGS)",
  }),
  "next-auth/next": (name) => ({
    head: `import { getServerSession } from "next-auth/next";${from(name)}`,
    options: name,
  }),
  unstable: (name) => ({
    head: `import { unstable_getServerSession } from "next-auth";${from(name)}`,
    options: name,
    call: "await unstable_getServerSession(ARGS)",
  }),
  "try and catch": (name) => ({
    head: `${LIBRARY}${from(name)}`,
    options: name,
    call: "await (async () => { try { return await getServerSession(ARGS); } catch { return null; } })()",
  }),
  "beside the other": (name) => ({
    head: `${LIBRARY}${from("authOptions, adminOptions")}\nexport const other = () => getServerSession(${name === "authOptions" ? "adminOptions" : "authOptions"});`,
    options: name,
  }),
  "a parameter of that name": (name) => ({
    head: `${LIBRARY}${from("authOptions, adminOptions")}\nconst read = (authOptions) => getServerSession(authOptions);`,
    options: name,
    call: `await read(${name})`,
  }),
  "overridden members": (name) => ({ head: `${LIBRARY}${from(name)}`, options: `{ ...${name}, debug: false }` }),
};

/** Each configuration in each spelling, in a page of the App Router and in an API route. */
export function sessionCases(): readonly Case[] {
  const named = ["authOptions", "adminOptions"].flatMap((name) =>
    Object.entries(OPTIONS).flatMap(([spelling, write]) =>
      (["page", "api"] as const).flatMap((runs) => {
        const { head, options, call = "await getServerSession(ARGS)", files = {} } = write(name);
        const isFixed = call === "await read()" || call.startsWith("await read(a");
        if (runs === "api" && isFixed) return [];
        const args = runs === "api" ? `req, res, ${options}` : options;
        return casesOf(`getServerSession(${name})`, spelling, runs, { head, files, call: call.replace("ARGS", args) });
      }),
    ),
  );
  const plain = casesOf("getServerSession()", "without options", "page", {
    head: LIBRARY,
    files: {},
    call: "await getServerSession()",
  });
  return [...named, ...plain];
}

interface Page {
  readonly head: string;
  readonly call: string;
  readonly files: Readonly<Record<string, string>>;
}

function casesOf(form: string, spelling: string, runs: "page" | "api", { head, call, files }: Page): readonly Case[] {
  return Object.entries(DECISIONS).map(([decision, decide]) => ({
    form,
    former: "v4",
    runs,
    name: `${spelling}, ${runs}, ${decision}`,
    files: {
      "auth.ts": AUTH,
      "app/api/auth/[...nextauth]/route.ts": route("authOptions"),
      "app/admin/api/[...nextauth]/route.ts": route("adminOptions"),
      ...files,
      "guard.ts": `${head}\nexport default async function page(req, res) {\n  const session = ${call};\n  const allowed = await (async (who) => { ${decide(session("who"))} })(session);\n  return allowed ? "page" : "denied";\n}\n`,
    },
  }));
}

const ROUTERS =
  'import { ExpressAuth } from "@auth/express";\nimport { adminOptions, authOptions } from "./auth";\nexport const routers = [ExpressAuth(authOptions), ExpressAuth(adminOptions)];\n';

const EXPRESS_LIBRARY = 'import { getSession } from "@auth/express";';

/** The same for `getSession(req, config)` of Express. */
export function expressCases(): readonly Case[] {
  const members = (text: string) => text.replaceAll("callbacks: {", "trustHost: true, callbacks: {");
  return ["authOptions", "adminOptions"].flatMap((name) =>
    Object.entries(OPTIONS).flatMap(([spelling, write]) => {
      if (/next-auth|unstable/.test(spelling)) return [];
      const { head, options, call = "await getServerSession(ARGS)", files = {} } = write(name);
      const toExpress = (text: string) =>
        text
          .replaceAll(LIBRARY, EXPRESS_LIBRARY)
          .replace(
            'import { getServerSession as read } from "next-auth";',
            'import { getSession as read } from "@auth/express";',
          )
          .replace("async () => getServerSession(", "async (req) => getServerSession(")
          .replace("(authOptions) => getServerSession(", "(authOptions, req) => getServerSession(")
          .replace(/getServerSession\((?!ARGS)/g, "getSession(req, ")
          .replace("() => getSession(req", "(req) => getSession(req")
          .replace("getServerSession", "getSession");
      const args = `req, ${options}`;
      const asked = call
        .replace("await read()", "await read(req)")
        .replace(/await read\((a\w+)\)/, "await read($1, req)");
      return Object.entries(DECISIONS).map(
        ([decision, decide]): Case => ({
          form: `getSession(req, ${name})`,
          former: "express",
          runs: "api",
          name: `${spelling}, ${decision}`,
          files: {
            "auth.ts": members(AUTH),
            "app.ts": ROUTERS,
            ...Object.fromEntries(Object.entries(files).map(([path, text]) => [path, toExpress(text)])),
            "guard.ts": `${toExpress(head)}\nexport default async function page(req, res) {\n  const session = ${toExpress(asked).replace("ARGS", args)};\n  const allowed = await (async (who) => { ${decide(session("who"))} })(session);\n  return allowed ? "page" : "denied";\n}\n`,
          },
        }),
      );
    }),
  );
}
