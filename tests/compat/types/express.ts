// An application on Express.
import { createAuth, type ExpressAuthConfig, type GetSessionResult, type Session } from "@cardea/express";
import GitHub from "@cardea/providers-github";
import express, { type NextFunction, type Request, type Response } from "express";

// 43. The configuration under its name.
export const config: ExpressAuthConfig = { providers: [GitHub], trustHost: true };
export const { router, auth } = createAuth(config);

// 44. Locals with a type.
declare global {
  namespace Express {
    interface Locals {
      session?: Session | null;
    }
  }
}
export const app = express();
app.use("/auth", router);
app.use(auth);
app.get("/", (_req, res) => {
  res.json({ role: res.locals.session?.user.role });
});

// 45. Middleware of one's own.
export async function authSession(req: Request, res: Response, next: NextFunction) {
  res.locals.session = await auth(req, res);
  next();
}
export const sessionOf = (req: Request): GetSessionResult => auth(req);
app.get(
  "/mine",
  auth((req, res) => void res.json(req.auth?.user.id)),
);
