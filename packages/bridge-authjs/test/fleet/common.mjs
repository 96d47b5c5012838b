// What every process of the fleet has in common: users, callbacks and a small server.
import { createServer } from "node:http";

/** Long enough for one to five cookies: the last digit of the name chooses. */
export const groupsOf = (username) => "x".repeat((Number(username.at(-1)) % 5) * 2_500);

export const authorize = ({ username }) => ({
  id: `id of ${username}`,
  name: username,
  email: `${username}@example.com`,
});

/** As many applications have it: what the browser sends in an update becomes part of the token. */
export const jwt = ({ token, user, trigger, session }) => {
  if (user) return { ...token, groups: groupsOf(user.name) };
  return trigger === "update" ? { ...token, ...session } : token;
};

/** The URL that the browser sees. */
export function publicUrl(req) {
  return new URL(req.url, `${req.headers["x-forwarded-proto"]}://${req.headers["x-forwarded-host"]}`);
}

export async function bodyOf(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The request as the Fetch API has it. */
export async function toRequest(req, Type = Request) {
  const body = req.method === "GET" ? undefined : await bodyOf(req);
  const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  return new Type(publicUrl(req), { method: req.method, headers, body });
}

export async function send(res, response) {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  res.end(Buffer.from(await response.arrayBuffer()));
}

/** Starts a server and tells the parent its port. */
export function listen(handler) {
  const server = createServer({ maxHeaderSize: 131_072 }, (req, res) => {
    Promise.resolve(handler(req, res)).catch((error) => {
      console.error(error);
      res.statusCode = 500;
      res.end(String(error));
    });
  });
  // The parent is gone: no process outlives its test.
  process.on("disconnect", () => process.exit());
  server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
}
