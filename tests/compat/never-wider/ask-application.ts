// Asks an application who may see what.
import { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { encode as encodeV5 } from "@auth/core/jwt";
import { encode } from "@cardea/core/jwt";
import { NextRequest } from "next/server.js";
import type { Case } from "./forms.ts";
import { scope } from "./next-modules.ts";
import { ADMIN } from "./session-forms.ts";

export const SECRET = "a secret of more than thirty-two bytes for tests";
const origin = "http://localhost:3000";
const require = createRequire(import.meta.url);

const PEOPLE: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> = {
  visitor: null,
  user: { sub: "1", name: "Ann", email: "ann@example.com", role: "user" },
  administrator: { sub: "2", name: "Bob", email: "bob@example.com", role: "admin" },
  "banned user": { sub: "3", name: "Cid", email: "cid@example.com", role: "user", banned: true },
};

/** Requests: a guarded page, a server action on it, the own sign-in page, an action of the library. */
const TARGETS = {
  page: ["GET", "/members"],
  action: ["POST", "/members"],
  "own page": ["GET", "/login"],
  route: ["GET", "/api/auth/session"],
} as const;
const ALL_TARGETS = ["page", "action", "own page", "route"] as const satisfies readonly (keyof typeof TARGETS)[];

/** One request of one user, who signed in by the first or the second configuration of the application. */
export interface Question {
  readonly target: keyof typeof TARGETS;
  readonly person: string;
  readonly isAdmin: boolean;
}

/** The requests that an application is asked. */
export function questionsOf({ runs }: Case): readonly Question[] {
  const targets = runs === undefined ? ALL_TARGETS : (["page"] as const);
  const configurations = runs === undefined || runs === "sign-in" ? [false] : [false, true];
  return targets.flatMap((target) =>
    Object.keys(PEOPLE).flatMap((person) => configurations.map((isAdmin) => ({ target, person, isAdmin }))),
  );
}

export type Outcome = "admitted" | "refused" | "redirected to itself";

type Guard = (...given: unknown[]) => unknown;

/**
 * Asks an application one question.
 *
 * @param isOurs whether its user signed in with Cardea, not with the former library
 */
export async function ask(of: Case, guard: unknown, question: Question, isOurs: boolean): Promise<Outcome> {
  if (typeof guard !== "function") throw new Error("The application exports no guard.");
  const cookie = await cookieOf(of, question, isOurs);
  const [method, path] = TARGETS[question.target];
  const headers = { host: "localhost:3000", "x-forwarded-host": "localhost:3000", "x-forwarded-proto": "http", cookie };
  try {
    if (of.runs === "sign-in") return await signIn((...given) => guard(...given), question.person);
    return await VISITS[of.runs ?? "middleware"]((...given) => guard(...given), { method, path, headers });
  } catch {
    return "refused";
  }
}

const cookies = new Map<string, string>();

/** The cookie of a user who signed in with the former library, or with Cardea. */
async function cookieOf({ former, sessions }: Case, { person, isAdmin }: Question, isOurs: boolean): Promise<string> {
  const token = PEOPLE[person];
  if (token === null || token === undefined) return "";
  const own = former === "v4" ? "next-auth.session-token" : "authjs.session-token";
  const name = isOurs ? (isAdmin ? ADMIN.ours : "cardea.session-token") : isAdmin ? ADMIN.cookie : own;
  if (sessions === "database") return `${isOurs ? "cardea.session-token" : own}=${person.replace(" ", "-")}`;
  const secret = isAdmin ? ADMIN.secret : SECRET;
  const key = [former, person, isOurs, isAdmin].join();
  const made =
    cookies.get(key) ??
    (isOurs
      ? await encode({ token, secret, salt: name })
      : former === "v4"
        ? await require("next-auth-4/jwt").encode({ token, secret })
        : await encodeV5({ token, secret, salt: name }));
  cookies.set(key, made);
  return `${name}=${made}`;
}

/** Signs in with the password of a user: admitted is who gets a session. */
async function signIn(guard: Guard, username: string): Promise<Outcome> {
  const send = async (action: string, cookie: string, body?: URLSearchParams) => {
    const headers = {
      host: "localhost:3000",
      "x-forwarded-host": "localhost:3000",
      "x-forwarded-proto": "http",
      cookie,
    };
    scope.headers = new Headers(headers);
    const method = body === undefined ? "GET" : "POST";
    const request = new NextRequest(`${origin}/api/auth/${action}`, { method, headers, ...(body && { body }) });
    const answer = await guard(request, { params: { nextauth: action.split("/") } });
    if (!(answer instanceof Response)) throw new Error("The routes answer with something other than a response.");
    return answer;
  };
  const csrf = await send("csrf", "");
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const { csrfToken } = Object(await csrf.json());
  const answer = await send("callback/credentials", cookie, new URLSearchParams({ csrfToken, username }));
  return answer.headers.getSetCookie().some((line) => /session-token=[^;]/.test(line)) ? "admitted" : "refused";
}

interface Visit {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const outcomeIf = (isAdmitted: boolean): Outcome => (isAdmitted ? "admitted" : "refused");

/** How a guard of each kind is called. */
const VISITS: Readonly<Record<"middleware" | "page" | "api" | "fetch" | "event", Visitor>> = {
  async event(guard, { method, path, headers }) {
    const request = new Request(origin + path, { method, headers });
    const jar = { get: () => undefined, getAll: () => [], set: () => undefined };
    const url = new URL(request.url);
    const answer = Object(await guard({ request, url, locals: {}, cookies: jar, isDataRequest: false }));
    return outcomeIf(answer.status === 200);
  },
  async fetch(guard, { method, path, headers }) {
    const answer = Object(await guard(new Request(origin + path, { method, headers })));
    return outcomeIf(answer.status === 200);
  },
  async page(guard, { headers }) {
    scope.headers = new Headers(headers);
    return outcomeIf((await guard()) === "page");
  },
  async api(guard, { method, path, headers }) {
    const request = new IncomingMessage(new Socket());
    const [name = "", value] = (headers.cookie ?? "").split("=");
    const cookies = name === "" ? {} : { [name]: value };
    Object.assign(request, { method, url: path, headers, query: {}, protocol: "http", cookies });
    return outcomeIf((await guard(request, new ServerResponse(request))) === "page");
  },
  async middleware(guard, { method, path, headers }) {
    const answer = await guard(new NextRequest(origin + path, { method, headers }), { waitUntil: () => undefined });
    if (!(answer instanceof Response)) return "admitted";
    const location = answer.headers.get("location");
    if (location !== null) return new URL(location, origin).pathname === path ? "redirected to itself" : "refused";
    return outcomeIf(answer.status < 400);
  },
};

type Visitor = (guard: Guard, visit: Visit) => Promise<Outcome>;
