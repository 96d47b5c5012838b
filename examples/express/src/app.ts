import { fileURLToPath } from "node:url";
import { isAuthError } from "@cardea/express";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { type AuthOptions, configureAuth } from "./auth.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { findMember, renameMember } from "./members.ts";
import { renderMembers } from "./members-page.ts";
import { renderCheckMail, renderHome, renderMessage } from "./pages.ts";
import { DEMO_USER } from "./passwords.ts";
import { createProfile } from "./profile.ts";
import { createSafe } from "./safe.ts";
import { ICON, STYLE } from "./style.ts";

/** What the application is made of. */
export interface AppOptions extends AuthOptions {
  /** The mails of the demo, which are not delivered but shown. */
  readonly inbox?: Inbox | undefined;
}

/** The whole application. */
export function createApp(options: AppOptions): Express {
  const { adapter, providers, readyMade = [], inbox } = options;
  const hasProofs = (options.store ?? adapter.store) !== undefined;
  const connectable = [...providers, ...readyMade];
  const { router, auth, signIn, signOut, unstable_update } = configureAuth(options);
  const app = express();
  app.disable("x-powered-by");
  app.use(setSecurityHeaders(options));
  app.get("/style.css", (_req, res) => void res.set("Cache-Control", "no-cache").type("css").send(STYLE));
  app.get(
    ["/icon.svg", "/favicon.ico"],
    (_req, res) => void res.set("Cache-Control", "no-cache").type("svg").send(ICON),
  );
  app.use("/scripts", express.static(SCRIPTS));
  if (inbox !== undefined) app.use("/inbox", createInbox(inbox, auth));

  // A user who is signed in and could not connect an account goes back to where they were.
  app.get("/auth/signin", async (req, res, next) => {
    if (req.query.error !== "OAuthAccountNotLinked" || (await auth(req)) === null) next();
    else res.redirect(303, "/members?problem=not-connected");
  });

  app.use("/auth", router);

  app.get("/", async (req, res) => {
    const { username, password } = DEMO_USER;
    const session = await auth(req, res);
    res.send(renderHome({ session, providers, username, password, hasInbox: inbox !== undefined, hasProofs }));
  });

  app.get("/check-mail", async (req, res) => {
    res.send(renderCheckMail({ session: await auth(req, res), hasInbox: inbox !== undefined }));
  });

  // `callbacks.authorized` sends everyone without a session to the sign-in page, and back here afterwards.
  app.get(
    "/members",
    auth(async ({ auth: session, query }, res, next) => {
      if (session === null) return next();
      const member = await findMember(adapter, session.userId);
      const problem = query.problem === "not-connected" ? NOT_CONNECTED : null;
      const asked = hasProofs ? providers.map(({ id }) => id) : [];
      res.send(renderMembers({ session, member, providers: connectable, asked, problem, hasProofs }));
    }),
  );

  // Begun by a user who is signed in, a sign-in ties the account to them.
  app.post("/connect/:provider", requireOwnForm, async (req, res, next) => {
    const provider = connectable.find(({ id }) => id === req.params.provider);
    if (provider === undefined) return next();
    await signIn(req, res, provider.id, { redirectTo: "/members" });
  });

  if (hasProofs) app.use(createSafe(auth, requireOwnForm), createProfile(auth, providers));

  app.post("/sign-out", requireOwnForm, (req, res) => signOut(req, res, { redirectTo: "/" }).then(() => undefined));

  // The session at the provider ends as well, where the one here came from there.
  app.post("/sign-out/everywhere", requireOwnForm, (req, res) =>
    signOut(req, res, { redirectTo: "/", federated: true }).then(() => undefined),
  );

  app.post("/name", requireOwnForm, express.urlencoded({ extended: false }), async (req, res) => {
    const session = await auth(req, res);
    if (session === null) return res.redirect(303, "/auth/signin?callbackUrl=/members");
    await renameMember(adapter, session.userId, req.body?.name);
    // Sessions in the database have the new name at once; one in a cookie is made again.
    await unstable_update(req, res, {});
    res.redirect(303, "/members");
  });

  app.use((_req, res) => void res.status(404).send(renderMessage("Page not found", "This page does not exist.")));
  app.use(answerError);
  return app;
}

/** Where the build puts what runs in browsers. */
const SCRIPTS = fileURLToPath(new URL("browser", import.meta.url));

const NOT_CONNECTED =
  "That account was not connected, because it belongs to another member. Sign in with it instead, or connect a different one.";

/** Forms end here or, by a redirect, at the providers. */
function setSecurityHeaders({ providers, readyMade = [] }: AppOptions): RequestHandler {
  const origins = new Set(providers.map(({ issuer }) => new URL(issuer).origin));
  // Where a provider of a package sends people on its way is its own affair, and one may run on this machine.
  const elsewhere = readyMade.length > 0 ? ["https:", "http://localhost:*"] : [];
  const formTargets = ["'self'", ...origins, ...elsewhere].join(" ");
  const headers = {
    // Every page shows who is signed in: none is kept, not even for the back button after signing out.
    "Cache-Control": "private, no-store",
    "Content-Security-Policy": `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
  };
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}

/** Forms of our own pages only: browsers say where a form comes from (Fetch Metadata), older ones in `Origin`. */
const requireOwnForm: RequestHandler = (req, res, next) => {
  const site = req.get("sec-fetch-site");
  const origin = req.get("origin");
  const isOwn = site === undefined ? origin === `${req.protocol}://${req.get("host")}` : site === "same-origin";
  if (isOwn) next();
  else
    res.status(403).send(renderMessage("Request blocked", "The form was sent from another site, so it was ignored."));
};

/** What went wrong is in the log; a visitor learns whether it is worth trying again. */
const answerError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) return next(error);
  const status = statusOf(error);
  // The library has logged its own errors.
  if (status === 500 && !isAuthError(error)) console.error(error);
  res
    .status(status)
    .send(renderMessage("Something went wrong", TEXTS.get(status) ?? "The request could not be handled."));
};

/** Of the library's errors, by type; any other is the application's. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ["SessionUnavailable", 503],
  ["InvalidHost", 400],
]);

const TEXTS: ReadonlyMap<number, string> = new Map([
  [500, "Try again later."],
  [503, "Your session is temporarily unavailable. Try again in a moment."],
]);

/** Express and its parsers give what a client got wrong, such as a path that cannot be decoded, a status of its own. */
function statusOf(error: unknown): number {
  if (isAuthError(error)) return STATUSES.get(error.type) ?? 500;
  const { status } = Object(error);
  return status >= 400 && status < 500 ? status : 500;
}
