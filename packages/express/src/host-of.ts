import { nodeHost } from "@cardea/core/operations";
import type { Request as ExpressRequest } from "express";

/** The host of a request; several are joined. `req.host` and `req.hostname` depend on the application's `trust proxy`. */
export const hostOf = (req: ExpressRequest): string | undefined => nodeHost(req.headers, req.rawHeaders);
