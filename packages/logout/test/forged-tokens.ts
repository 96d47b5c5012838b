/** What is wrong with a logout token, and how it is made; 40 of them, all refused. */
export interface ForgedToken {
  readonly name: string;
  /** Claims over those of a good one; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Members of the header over those of a good one; undefined removes one. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Changes the finished token. */
  readonly change?: (token: string) => string;
}

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const now = Math.floor(Date.now() / 1000);

function part(token: string, n: number): string {
  return token.split(".")[n] ?? "";
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(text: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

/** The table. */
export const forgedTokens: readonly ForgedToken[] = [
  { name: "an ID token", header: { typ: "JWT" }, claims: { events: undefined } },
  { name: "an ID token with a logout event", header: { typ: "JWT" }, claims: { nonce: "n" } },
  { name: "the type of an access token", header: { typ: "at+jwt" } },
  { name: "the type of a security event", header: { typ: "secevent+jwt" } },
  { name: "no type", header: { typ: undefined } },
  { name: "a type that is a list", header: { typ: ["logout+jwt"] } },
  { name: "critical parameters", header: { crit: ["exp"] } },
  { name: "algorithm none", header: { alg: "none" } },
  { name: "algorithm None", header: { alg: "None" } },
  { name: "an HMAC algorithm", header: { alg: "HS256" } },
  { name: "another asymmetric algorithm", header: { alg: "PS256" } },
  { name: "no algorithm", header: { alg: "" } },
  { name: "an unknown key", header: { kid: "invented" } },
  { name: "no signature", change: (token) => `${part(token, 0)}.${part(token, 1)}.` },
  { name: "two parts", change: (token) => `${part(token, 0)}.${part(token, 1)}` },
  { name: "four parts", change: (token) => `${token}.${part(token, 2)}` },
  { name: "a changed signature", change: (token) => `${token.slice(0, -4)}AAAA` },
  {
    name: "another session under the signature",
    change: (token) => `${part(token, 0)}.${encode({ ...decode(part(token, 1)), sid: "other" })}.${part(token, 2)}`,
  },
  {
    name: "a key of its own",
    change: (token) =>
      `${encode({ ...decode(part(token, 0)), jwk: { kty: "oct", k: "AA" } })}.${part(token, 1)}.${part(token, 2)}`,
  },
  { name: "text that is no token", change: () => "logout" },
  { name: "more than 16 KiB", change: (token) => `${token}${"A".repeat(17_000)}` },
  { name: "another issuer", claims: { iss: "https://evil.example.com" } },
  { name: "the issuer with a slash", claims: { iss: "https://op.example.com/" } },
  { name: "no issuer", claims: { iss: undefined } },
  { name: "another audience", claims: { aud: "other" } },
  { name: "an empty audience", claims: { aud: [] } },
  { name: "no audience", claims: { aud: undefined } },
  { name: "no time", claims: { iat: undefined } },
  { name: "a time that is text", claims: { iat: String(now) } },
  { name: "a time three minutes ago, without an end", claims: { iat: now - 180 } },
  { name: "a time from the future", claims: { iat: now + 300 } },
  { name: "an end in the past", claims: { exp: now - 120 } },
  { name: "no events", claims: { events: undefined } },
  { name: "another event", claims: { events: { "http://schemas.openid.net/event/other": {} } } },
  { name: "the event as text", claims: { events: { [EVENT]: "yes" } } },
  { name: "the event as a list", claims: { events: { [EVENT]: [] } } },
  { name: "events as a list", claims: { events: [EVENT] } },
  { name: "a nonce", claims: { nonce: "n" } },
  { name: "neither user nor session", claims: { sub: undefined, sid: undefined } },
  { name: "a session that is a number", claims: { sid: 1 } },
  { name: "no id", claims: { jti: undefined } },
];
