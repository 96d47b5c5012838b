/** Random request targets against the guards of all framework adapters, as bytes. */
import { connect } from "node:net";
import type { RunningBinding } from "@cardea/testing/binding-contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APPLICATIONS } from "./applications.ts";

const RUNS = 600;
const PER_RUN = 10;

const octet = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
const letters = [..."members"];

/** The name of the guarded path in some spelling. */
const name = fc
  .array(fc.constantFrom("as it is", "escaped", "Escaped", "twice", "upper", "wide"), { minLength: 7, maxLength: 7 })
  .map((spellings) => letters.map((letter, index) => spell(letter, spellings[index] ?? "")).join(""));

function spell(letter: string, spelling: string): string {
  const hex = letter.charCodeAt(0).toString(16);
  if (spelling === "escaped") return `%${hex}`;
  if (spelling === "Escaped") return `%${hex.toUpperCase()}`;
  if (spelling === "twice") return `%25${hex}`;
  if (spelling === "upper") return letter.toUpperCase();
  return spelling === "wide" ? `%ef%bd%${(0x81 + letter.charCodeAt(0) - 0x61).toString(16)}` : letter;
}

const noise = fc.oneof(
  fc.constantFrom(
    ...[
      "..",
      "%2e%2e",
      ".",
      "..;",
      "%2f",
      "%5c",
      "\\",
      "//",
      ";",
      "?",
      "#",
      "%3f",
      "%23",
      "%00",
      "%20",
      "\t",
      " ",
      "@",
    ],
    ...[
      "%",
      "%zz",
      "%25",
      "%252f",
      "open",
      "auth",
      "auth/session",
      "auth/signin",
      "..%2f",
      "localhost",
      "evil.example",
    ],
    ...["__data.json", "_app/remote/x", ".json", "\u00a0", "%c0%ae", "%e2%80%a8", "[", "{x}", "^", "|", "http:", ":"],
  ),
  octet,
);
const joint = fc.constantFrom("/", "/", "/", "/", "", "//", "%2f", "\\", ";/", "/./", "/../", "/%2e%2e/");
const start = fc.constantFrom(
  ...["/", "/", "/", "/", "/", "//", "/auth/", "/auth/../", "/open/..", "http://localhost/", "HTTP://evil.example:80/"],
  ...["http://a@b/", "http://a?b/", "http://a#b/", "//a@b/", "/\\", "", "http:/", "/http://a/"],
);
const end = fc.constantFrom(
  ..."|/|?|#|;|%20|%3fx|%23x|/area|/..|/.|?x=/../open|#/../open|.html|/__data.json".split("|"),
);
const target = fc
  .tuple(start, fc.array(fc.tuple(noise, joint), { maxLength: 3 }), fc.oneof(name, fc.constant("members")), end)
  .map(([first, parts, path, last]) => `${first}${parts.flat().join("")}${path}${last}`.replace(/[\r\n]/g, ""));
const method = fc.constantFrom("GET", "GET", "GET", "POST", "HEAD", "DELETE", "OPTIONS");

/** The whole answer to a request with such a target; empty where the server ends the connection. */
async function ask(app: RunningBinding, verb: string, sent: string, headers: string): Promise<string> {
  const { port, host } = new URL(app.origin);
  const socket = connect(Number(port), "127.0.0.1");
  const lines = [`${verb} ${sent} HTTP/1.1`, `Host: ${host}`, "Sec-Fetch-Mode: cors", "Connection: close", headers];
  socket.write(Buffer.from(`${lines.filter((line) => line !== "").join("\r\n")}\r\n\r\n`, "latin1"));
  const parts: Buffer[] = [];
  await new Promise<void>((resolve) => {
    socket.on("data", (part) => parts.push(part));
    socket.once("close", () => resolve());
    socket.once("error", () => resolve());
  });
  return Buffer.concat(parts).toString("latin1");
}

describe.each(APPLICATIONS.filter(({ skipped }) => skipped === undefined))("$name", ({ start: run, headers = {} }) => {
  const proxied = Object.entries(headers)
    .map(([field, value]) => `${field}: ${value}`)
    .join("\r\n");
  let app: RunningBinding;
  beforeAll(async () => {
    app = await run({ AUTH_SECRET: "a secret of more than thirty-two bytes for tests" });
  });
  afterAll(() => app.stop());
  const countRuns = async () => (await ask(app, "GET", "/ran", proxied)).trim().split(/\s+/).at(-1);

  it("runs no members' handler for a visitor, whatever the target", async () => {
    const before = await countRuns();
    const property = fc.asyncProperty(fc.array(fc.tuple(method, target), { maxLength: PER_RUN }), async (requests) => {
      const answers = await Promise.all(requests.map(([verb, sent]) => ask(app, verb, sent, proxied)));
      const shown = requests.filter((_, index) => answers[index]?.includes("SECRET"));
      const broken = requests.filter((_, index) => /^HTTP\/1\.1 500/.test(answers[index] ?? ""));
      expect([shown, broken, await countRuns()]).toEqual([[], [], before]);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true });
  });
});
