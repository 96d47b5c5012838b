// A process of the lab: an application of ours or of Auth.js, a proxy in front of others, or an issuer. Prints its port.
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import { Auth as FormerAuth } from "@auth/core";
import { Auth } from "@cardea/core";

/** What a process does. */
export interface Role {
  readonly role: "application" | "former" | "proxy" | "issuer";
  /** How far its clock is off. */
  readonly skew?: number;
  /** Application: the host of requests counts. */
  readonly trustHost?: boolean;
  /** Proxy: the processes behind it, which take turns. */
  readonly targets?: readonly string[];
  /** Proxy: headers for the process behind it; `{host}` is the host that browsers use. */
  readonly forward?: Readonly<Record<string, string>>;
  /** Proxy: headers that it sets on what it passes back. */
  readonly answer?: OutgoingHttpHeaders;
  /** Proxy: answers each path once, and what it kept from then on. */
  readonly caches?: boolean;
  /** Issuer: what its discovery document calls it; default: its own address. */
  readonly issuer?: string;
  /** Issuer: how it answers a visitor who wants to end a session and to go back; it ends none without this. */
  readonly wayBack?: number;
}

const role: Role = JSON.parse(process.argv[2] ?? "{}");

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

const PROVIDER = {
  id: "local",
  name: "Local",
  type: "oidc",
  issuer: "https://id.example.com",
  clientId: "a",
  clientSecret: "b",
} as const;

async function fromApplication(request: Request): Promise<Response> {
  const { AUTH_SECRET: secret = "" } = process.env;
  if (role.role === "former") {
    return FormerAuth(request, { secret, basePath: "/api/auth", providers: [PROVIDER], trustHost: true });
  }
  return Auth(request, {
    secret,
    basePath: "/api/auth",
    providers: [PROVIDER],
    ...(role.trustHost === true ? { trustHost: true } : {}),
  });
}

const kept = new Map<string, Answer>();
let turn = 0;

async function answerTo(incoming: IncomingMessage): Promise<Answer> {
  const { host = "", ...others } = incoming.headers;
  const path = incoming.url ?? "/";
  if (role.role === "issuer" && path.startsWith("/end?"))
    return { status: path.includes("post_logout_redirect_uri") ? (role.wayBack ?? 404) : 200, headers: {}, body: "" };
  if (role.role === "issuer") {
    const end = role.wayBack === undefined ? {} : { end_session_endpoint: `http://${host}/end` };
    return { status: 200, headers: {}, body: JSON.stringify({ issuer: role.issuer ?? `http://${host}`, ...end }) };
  }
  const headers = new Headers({ host });
  for (const [name, value] of Object.entries(others)) if (typeof value === "string") headers.set(name, value);
  if (role.role !== "proxy") return read(await fromApplication(new Request(`http://${host}${path}`, { headers })));
  const known = kept.get(path);
  if (known !== undefined) return { ...known, headers: { ...known.headers, age: "12", "x-cache": "HIT" } };
  const answer = await passOn(path, host, headers);
  if (role.caches === true) kept.set(path, answer);
  return answer;
}

async function passOn(path: string, host: string, headers: Headers): Promise<Answer> {
  const { targets = [], forward = {} } = role;
  const target = targets[turn++ % targets.length];
  for (const [name, value] of Object.entries(forward)) headers.set(name, value.replace("{host}", host));
  headers.delete("host");
  headers.delete("connection");
  const answer = await read(await fetch(`${target}${path}`, { headers, redirect: "manual" }));
  return { ...answer, headers: { ...answer.headers, ...role.answer } };
}

async function read(response: Response): Promise<Answer> {
  const headers: OutgoingHttpHeaders = Object.fromEntries(response.headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection"]) delete headers[name];
  return {
    status: response.status,
    headers: { ...headers, "set-cookie": response.headers.getSetCookie() },
    body: await response.text(),
  };
}

function write(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  const own = role.role === "proxy" ? {} : { date: new Date(Date.now() + (role.skew ?? 0)).toUTCString() };
  outgoing.sendDate = false;
  outgoing.writeHead(status, { ...headers, ...own }).end(body);
}

const server = createServer((incoming, outgoing) => {
  answerTo(incoming).then(
    (answer) => write(outgoing, answer),
    (error) => write(outgoing, { status: 502, headers: {}, body: String(error) }),
  );
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`port ${typeof address === "object" ? address?.port : ""}`);
});
