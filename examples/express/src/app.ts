import { isAuthError } from "@cardea/express";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { type AuthOptions, configureAuth } from "./auth.ts";
import { renderHome, renderMembers, renderMessage } from "./pages.ts";
import { DEMO_USER } from "./passwords.ts";
import { ICON, STYLE } from "./style.ts";

export { PROVIDER_ID } from "./auth.ts";

/** The whole application. */
export function createApp(options: AuthOptions): Express {
  const { router, auth, signOut, unstable_update } = configureAuth(options);
  const app = express();
  app.disable("x-powered-by");
  app.use(setSecurityHeaders);
  app.get("/style.css", (_req, res) => void res.set("Cache-Control", "no-cache").type("css").send(STYLE));
  app.get(
    ["/icon.svg", "/favicon.ico"],
    (_req, res) => void res.set("Cache-Control", "no-cache").type("svg").send(ICON),
  );

  app.use("/auth", router);

  app.get("/", async (req, res) => {
    const { username, password } = DEMO_USER;
    const session = await auth(req, res);
    res.send(renderHome({ session, providerUrl: options.provider.issuer, username, password }));
  });

  // `callbacks.authorized` sends everyone without a session to the sign-in page, and back here afterwards.
  app.get(
    "/members",
    auth((req, res, next) => (req.auth === null ? next() : res.send(renderMembers(req.auth)))),
  );

  app.post("/sign-out", requireOwnForm, (req, res) => signOut(req, res, { redirectTo: "/" }).then(() => undefined));

  app.post("/name", requireOwnForm, express.urlencoded({ extended: false }), async (req, res) => {
    await unstable_update(req, res, { name: req.body?.name });
    res.redirect(303, "/members");
  });

  app.use((_req, res) => void res.status(404).send(renderMessage("Nothing here", "There is no such page.")));
  app.use(answerError);
  return app;
}

const setSecurityHeaders: RequestHandler = (_req, res, next) => {
  res.set({
    // Every page shows who is signed in: none is kept, not even for the back button after signing out.
    "Cache-Control": "private, no-store",
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
  });
  next();
};

/** Forms of our own pages only: browsers say where a form comes from (Fetch Metadata), older ones in `Origin`. */
const requireOwnForm: RequestHandler = (req, res, next) => {
  const site = req.get("sec-fetch-site");
  const origin = req.get("origin");
  const isOwn = site === undefined ? origin === `${req.protocol}://${req.get("host")}` : site === "same-origin";
  if (isOwn) next();
  else res.status(403).send(renderMessage("Not from here", "That form was sent by another site, so nothing was done."));
};

/** What went wrong is in the log; a visitor learns whether it is worth trying again. */
const answerError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) return next(error);
  const isUnavailable = isAuthError(error) && error.type === "SessionUnavailable";
  // The library has logged its own errors.
  if (!isAuthError(error)) console.error(error);
  const text = isUnavailable ? "We cannot look up sessions right now. Try again in a moment." : "Try again later.";
  res.status(isUnavailable ? 503 : 500).send(renderMessage("That did not work", text));
};
