/**
 * The applications of build-open.mjs: for every request that a visitor gets through, the page that Next.js renders is one that visitors
 * may open.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { NEXT_OPEN, type RunningNext, startCustomServer, startNextApp } from "./next-start.ts";
import { type RawAnswer, sendRaw } from "./send-raw.ts";

/** One of the applications. */
interface OpenApplication {
  readonly running: RunningNext;
  /** The identifier of its build, which URLs of data contain. */
  readonly build: string;
  readonly basePath: string;
  /** Paths that visitors may open, without `basePath`. */
  readonly open: readonly string[];
}

/** A request, as bytes. */
interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SUFFIXES = [
  ...["", "", "/", ".rsc", ".rsc", ".txt", ".json", ".html", ".prefetch.rsc", ".segments/_tree.segment.rsc", ".rsc/"],
  ...[".segments/login/__PAGE__.segment.rsc", ";x", "%2e", "/index.rsc", "/.rsc", "%2Ersc", ".rsc.rsc", "%20", "//"],
];
const QUERIES = ["", "", "?_rsc=1", "?nxtPslug=members&nxtIslug=members", "?__nextLocale=fr&__nextDefaultLocale=fr"];
const MORE_QUERIES = ["?__nextDataReq=1", "?slug=members", "?amp=1", "?rest=a&__nextInferredLocaleFromDefault=1"];
const SHOWN = ["/members", "/team/7", "/feed", "/members/x", "/%6dembers", "//members", "/members?x", "/MEMBERS", "x"];

const header = fc.oneof(
  fc.tuple(fc.constant("next-url"), fc.constantFrom(...SHOWN)),
  fc.tuple(fc.constant("rsc"), fc.constant("1")),
  fc.tuple(fc.constant("next-router-prefetch"), fc.constantFrom("1", "2")),
  fc.tuple(fc.constant("next-router-segment-prefetch"), fc.constantFrom("/_tree", "/members/__PAGE__", "/__PAGE__")),
  fc.tuple(
    fc.constant("next-router-state-tree"),
    fc.constant(encodeURIComponent('["",{"children":["members",{"children":["__PAGE__",{}]}]},null,"refetch"]')),
  ),
  fc.tuple(
    fc.constantFrom("x-nextjs-data", "x-middleware-next", "x-middleware-skip", "x-middleware-prefetch", "next-resume"),
    fc.constant("1"),
  ),
  fc.tuple(
    fc.constantFrom(
      ...[
        "x-matched-path",
        "x-middleware-rewrite",
        "x-invoke-path",
        "x-invoke-output",
        "x-original-url",
        "x-rewrite-url",
      ],
      ...["x-forwarded-prefix", "x-middleware-request-next-url", "x-nextjs-rewrite", "x-now-route-matches"],
    ),
    fc.constant("/members"),
  ),
  fc.tuple(fc.constant("x-middleware-override-headers"), fc.constant("next-url")),
  fc.tuple(fc.constant("x-middleware-subrequest"), fc.constant("proxy:proxy:proxy:proxy:proxy")),
);

/** Open paths, with what the parts of Next.js add to them. */
function requestsOf({ build, basePath, open }: OpenApplication): fc.Arbitrary<Sent> {
  const paths = [...open, "/api/auth/session", "/api/auth/signin"];
  const plain = fc
    .tuple(fc.constantFrom("", "", "", "/", "/en", "/fr", "/_next", "/_next/static"), fc.constantFrom(...paths))
    .map(([before, path]) => `${before}${before !== "" && path === "/" ? "" : path}`);
  const data = fc
    .tuple(fc.constantFrom(build, build, "x"), fc.constantFrom("", "", "/en", "/fr"), fc.constantFrom(...paths))
    .chain(([id, locale, path]) =>
      fc
        .constantFrom("", ".rsc")
        .map((end) => `/_next/data/${id}${locale}${path === "/" ? "/index" : path}${end}.json`),
    );
  const inside = fc.constantFrom(
    "/_next/static/x",
    "/_next/x",
    "/_next/static/chunks/x.js",
    "/_next/static/",
    "/_next/",
  );
  return fc.record({
    path: fc
      .tuple(
        fc.oneof(plain, plain, data, inside),
        fc.constantFrom(...SUFFIXES),
        fc.constantFrom(...QUERIES, ...MORE_QUERIES),
      )
      .map(
        ([path, suffix, query]) =>
          `${basePath}${path === "/" && suffix.startsWith(".") ? "/index" : path}${suffix}${query}`,
      ),
    headers: fc.array(header, { maxLength: 4 }).map((lines) => Object.fromEntries(lines)),
  });
}

/** What a visitor sees, behind redirects within the application. */
export async function visit({ running }: OpenApplication, { path, headers }: Sent): Promise<RawAnswer> {
  let answer = await sendRaw(running.url, path, headers);
  for (let hops = 0; hops < 4 && [307, 308].includes(answer.status); hops += 1) {
    const { pathname, search } = new URL(answer.headers.location ?? "", running.url);
    answer = await sendRaw(running.url, `${pathname}${search}`, headers);
  }
  return answer;
}

const isGuarded = ({ text }: RawAnswer): boolean => text.includes("GUARDED");

/** Starts one of the applications; with `isCustom`, by a custom server. */
export async function startOpen(
  name: string,
  basePath: string,
  open: readonly string[],
  { isCustom = false, env = {} }: { readonly isCustom?: boolean; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<OpenApplication> {
  const folder = `${NEXT_OPEN}/${name}`;
  const secret = "a secret of more than thirty-two bytes for tests";
  const all = { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true", ...env };
  const running = await (isCustom ? startCustomServer(folder, all) : startNextApp(all, folder));
  return { running, basePath, open, build: readFileSync(`${folder}/dist/BUILD_ID`, "utf8").trim() };
}

/** The property of an application. */
export function propertyOf(application: OpenApplication): fc.IAsyncProperty<[Sent]> {
  return fc.asyncProperty(requestsOf(application), async (sent) => {
    const answer = await visit(application, sent);
    expect([sent, isGuarded(answer), answer.status < 500]).toEqual([sent, false, true]);
  });
}

/** The tests of an application, and more of them. */
export function describeOpenPaths(
  name: string,
  basePath: string,
  open: readonly string[],
  more: (application: () => OpenApplication) => void = () => undefined,
): void {
  describe(`open paths of ${name}`, () => {
    let application: OpenApplication;
    beforeAll(async () => {
      application = await startOpen(name, basePath, open);
    });
    afterAll(() => application.running.end());

    it.each(open)("opens %s to visitors", async (path) => {
      const { status, text } = await visit(application, { path: `${basePath}${path}`, headers: {} });
      expect([status, text.includes("OPEN:"), text.includes("GUARDED:")]).toEqual([200, true, false]);
    });

    it("redirects visitors from everything else", async () => {
      for (const path of ["/members", "/anything", "/secret.pdf"]) {
        const answer = await visit(application, { path: `${basePath}${path}`, headers: {} });
        expect([path, answer.status, isGuarded(answer)]).toEqual([path, 302, false]);
      }
    });

    it("shows visitors nothing else, whatever surrounds an open path", async () => {
      await fc.assert(propertyOf(application), { numRuns: isLong ? 3000 : 200 });
    });

    more(() => application);
  });
}
