// next-auth 4, as an API route and a page of Next.js have it.
import nextAuth from "next-auth-4";
import credentialsProvider from "next-auth-4/providers/credentials";
import { authorize, bodyOf, jwt, listen, publicUrl } from "./common.mjs";

// Its CommonJS has the function under `default`.
const { default: NextAuth, getServerSession } = nextAuth;
const { default: CredentialsProvider } = credentialsProvider;

const options = {
  secret: process.env.AUTH_SECRET,
  providers: [CredentialsProvider({ credentials: { username: {} }, authorize })],
  callbacks: { jwt },
};

listen(async (req, res) => {
  const url = publicUrl(req);
  // What Next.js adds to the request and the response of Node.
  req.cookies = Object.fromEntries(
    (req.headers.cookie ?? "")
      .split("; ")
      .map((pair) => [pair.split("=")[0], decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  );
  req.query = { ...Object.fromEntries(url.searchParams), nextauth: url.pathname.slice("/api/auth/".length).split("/") };
  res.status = (code) => Object.assign(res, { statusCode: code });
  res.json = (value) => res.setHeader("content-type", "application/json").end(JSON.stringify(value));
  res.send = (body) => (typeof body === "object" ? res.json(body) : res.end(body));
  if (!url.pathname.startsWith("/api/auth/")) return res.json(await getServerSession(req, res, options));
  const body = String(await bodyOf(req));
  const isJson = req.headers["content-type"]?.includes("json");
  req.body = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
  return NextAuth(req, res, options);
});
