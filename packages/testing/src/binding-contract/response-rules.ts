/** For tests of framework adapters: handlers that do anything with the headers of a response, and what must hold afterwards. */
import type { ServerResponse } from "node:http";
import { type AuthConfig, createAuth } from "@cardea/core";
import fc from "fast-check";
import { createTestSession } from "../test-session.ts";
import { type RawAnswer, sendRaw } from "./send-raw.ts";

/** One step of a handler; `remove` ignores the value. */
export interface Step {
  readonly kind: "set" | "append" | "remove";
  readonly name: string;
  readonly value: string | readonly string[];
}

/** How a handler ends; with `head-…` it passes `head` to `writeHead`, or to the constructor of a response. */
type End = (typeof ENDS)[number];
const ENDS = [
  ...(["send", "stream", "flush", "redirect", "not-modified", "throw"] as const),
  ...(["head-object", "head-list", "head-pairs"] as const),
];

/**
 * Users by what becomes of their session; `leaving` is signed out by the handler, `ended` by the guard, and `gone` by another request,
 * while the handler runs.
 */
const SESSIONS = ["renewed", "leaving", "ended", "gone", "read", "visitor"] as const;

/** A request, and what the application does with it. */
export interface Behaviour {
  readonly session: (typeof SESSIONS)[number];
  /** Before the guard. */
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly end: End;
  readonly head: readonly Step[];
}

const CACHING = [
  "Cache-Control",
  "cache-control",
  "CDN-Cache-Control",
  "Vercel-CDN-Cache-Control",
  "Surrogate-Control",
];
const caching = fc.record({
  kind: fc.constantFrom("set", "set", "append", "remove"),
  name: fc.constantFrom(...CACHING, "X-Accel-Expires"),
  value: fc.constantFrom<string | readonly string[]>(
    ...["public, max-age=600", "s-maxage=600", "PUBLIC", "max-age=60", "no-cache", 'private="x-theirs", max-age=9'],
    ...["private, max-age=60", "private, s-maxage=60", "must-understand, no-store", ["public", "max-age=600"]],
    ...['no-cache="set-cookie"', "Private,S-MaxAge=600", "private\u00a0, max-age=600", 'x="private", max-age=9'],
  ),
} as const);
const cookie = fc.record({
  kind: fc.constantFrom("set", "append", "remove"),
  name: fc.constantFrom("Set-Cookie", "set-cookie"),
  value: fc.constantFrom<string | readonly string[]>("theirs=1; Path=/", ["theirs=1", "other=2"]),
} as const);
const steps = fc.array(fc.oneof(caching, cookie), { maxLength: 4 });

const indexOfName = (list: readonly Step[], name: string): number =>
  list.findIndex((one) => one.name.toLowerCase() === name.toLowerCase());

/** Any behaviour. */
export const behaviours: fc.Arbitrary<Behaviour> = fc.record({
  session: fc.constantFrom(...SESSIONS),
  before: steps,
  after: steps,
  end: fc.constantFrom(...ENDS),
  head: steps.map((list) => list.filter(({ kind, name }, n) => kind !== "remove" && n === indexOfName(list, name))),
});

const NAME = "cardea.session-token";

/** A configuration whose users have the sessions of {@link Behaviour}. */
export const rulesConfig: AuthConfig = {
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  providers: [],
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  callbacks: {
    jwt: ({ token, user }) => {
      if (user !== undefined) return token;
      if (token.name === "ended") return null;
      return token.name === "renewed" || token.name === "gone"
        ? { ...token, renewals: Number(token.renewals ?? 0) + 1 }
        : token;
    },
  },
};

/** The headers of a request of such a user. */
export async function cookieHeaders(session: Behaviour["session"]): Promise<Record<string, string>> {
  if (session === "visitor") return {};
  return { cookie: (await createTestSession(rulesConfig, { user: { id: "1", name: session } })).header };
}

/** Signs out in another tab, whose answer arrives first. */
export async function signOutElsewhere(cookie = ""): Promise<void> {
  const { signOut } = createAuth(rulesConfig);
  await signOut(new Request("http://localhost/", { headers: { cookie } }));
}

/** Sets the headers of a step. */
export function applySteps(
  list: readonly Step[],
  on: { readonly [K in Step["kind"]]: (name: string, value: string | string[]) => unknown },
): void {
  for (const { kind, name, value } of list) on[kind](name, typeof value === "string" ? value : [...value]);
}

/** The steps of a handler with a response of Node.js. */
export const applyToNode = (list: readonly Step[], res: ServerResponse): void =>
  applySteps(list, {
    set: (name, value) => res.setHeader(name, value),
    append: (name, value) => res.appendHeader(name, value),
    remove: (name) => res.removeHeader(name),
  });

/** Behaviours of middleware that waits for the headers: what it does comes last, after `head`. */
export const untilSent: fc.Arbitrary<Behaviour> = behaviours.map((one) =>
  one.end.startsWith("head-") ? { ...one, end: "send", head: [] } : { ...one, head: [] },
);

/** Middleware that changes headers when they are sent: compression, caches, sessions. */
export function applyWhenSent(list: () => readonly Step[], res: ServerResponse): void {
  const { writeHead } = res;
  Object.assign(res, {
    writeHead: (...given: readonly unknown[]) => {
      if (!res.headersSent) applyToNode(list(), res);
      return Reflect.apply(writeHead, res, given);
    },
  });
}

/** Ends a response of Node.js. */
export function endNode({ end, head, session }: Behaviour, res: ServerResponse): void {
  if (end === "throw") throw new Error("the handler failed");
  if (end === "redirect") res.writeHead(302, { Location: "/" }).end();
  if (end === "not-modified") Object.assign(res, { statusCode: 304 }).end();
  if (end === "flush") res.flushHeaders();
  if (end === "stream") res.write("first");
  if (end === "send" || end === "flush" || end === "stream") res.end("last");
  const pairs = head.map(({ name, value }): [string, string | readonly string[]] => [name, value]);
  // Node.js takes pairs only if no header was set before.
  const isNested = end === "head-pairs" && session !== "visitor";
  if (end === "head-object") res.writeHead(200, "Fine", Object.fromEntries(pairs) as Record<string, string>);
  else if (end.startsWith("head-")) res.writeHead(200, (isNested ? pairs : pairs.flat()) as string[]);
  if (end.startsWith("head-")) res.end("last");
}

/** Which rules a response breaks (docs/behaviour.md#responses). */
export function brokenRules(behaviour: Behaviour, { headers }: Pick<RawAnswer, "headers">): readonly string[] {
  const { session, end } = behaviour;
  const ours = headers.getSetCookie().filter((line) => line.startsWith(`${NAME}=`));
  const isShared = [...headers.keys()].some((name) => /cdn-cache-control|surrogate|x-accel/.test(name));
  const directives = (headers.get("cache-control") ?? "").toLowerCase().split(/[\t ]*,[\t ]*/);
  const isPrivate =
    directives.includes("private") && !directives.some((one) => /^(?:public|s-maxage|private=|must-und)/.test(one));
  const isCleared = ours.some((line) => /=;.*Max-Age=0/i.test(line));
  const expected = { renewed: 1, leaving: 1, ended: 1, gone: 0, read: 0, visitor: 0 }[session];
  const said = saidAfterwards(behaviour);
  // What a handler appends, it may append to our own value.
  // With a text as the body, Node.js writes the headers in UTF-8.
  const isSaid =
    said !== undefined && headers.get("cache-control")?.replaceAll("\u00c2\u00a0", "\u00a0").endsWith(said);
  return [
    ...(ours.length === expected ? [] : [`${ours.length} lines of the session cookie instead of ${expected}`]),
    ...(expected === 1 && isCleared !== (session !== "renewed") ? ["not the last value of the session cookie"] : []),
    ...(expected === 1 && (isShared || !isPrivate) ? ["a shared cache may store the session cookie"] : []),
    ...(session === "read" && said === undefined && !isPrivate
      ? ["not private, though the handler chose nothing"]
      : []),
    ...(session === "read" && end !== "throw" && said !== undefined && !isSaid ? ["not what the handler chose"] : []),
  ];
}

/** `Cache-Control` as the handler left it; undefined if it chose nothing. */
function saidAfterwards({ after, end, head }: Behaviour): string | undefined {
  const ends = end.startsWith("head-") ? head.map((step) => ({ ...step, kind: "set" as const })) : [];
  let said: readonly string[] = [];
  for (const { kind, name, value } of [...after, ...ends]) {
    if (name.toLowerCase() !== "cache-control") continue;
    said = kind === "remove" ? [] : [...(kind === "append" ? said : []), ...[value].flat()];
  }
  return said.length === 0 ? undefined : said.join(", ");
}

/** An application whose guard and handler follow the behaviour of the current request. */
export interface RulesApplication {
  readonly origin: string;
  readonly setBehaviour: (behaviour: Behaviour) => void;
}

/** Any request to such an application gets a response that breaks no rule. */
export function rulesProperty(app: RulesApplication, behaviour = behaviours): fc.IAsyncProperty<[Behaviour]> {
  return fc.asyncProperty(behaviour, async (one) => {
    app.setBehaviour(one);
    const broken = brokenRules(
      one,
      await sendRaw(app.origin, { target: "/", headers: await cookieHeaders(one.session) }),
    );
    if (broken.length > 0) throw new Error(broken.join("; "));
  });
}
