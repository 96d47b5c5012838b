import * as bridge from "@cardea/bridge-authjs";
import * as bridgeMiddleware from "@cardea/bridge-authjs/middleware";
import * as core from "@cardea/core";
import * as coreJwt from "@cardea/core/jwt";
import * as cardeaExpress from "@cardea/express";
import * as cardeaHono from "@cardea/hono";
import * as cardeaNext from "@cardea/next";
import * as cardeaNextJwt from "@cardea/next/jwt";
import { Credentials } from "@cardea/providers-credentials";
import * as cardeaSvelteKit from "@cardea/sveltekit";
import * as hono from "hono";
import type { Modules } from "./load-application.ts";
import { asModule, NEXT } from "./next-modules.ts";

/** Ours, from the sources. */
export const OURS: Modules = {
  ...NEXT,
  "@cardea/core": asModule(core),
  "@cardea/core/jwt": asModule(coreJwt),
  "@cardea/express": asModule(cardeaExpress),
  "@cardea/hono": asModule(cardeaHono),
  "@cardea/sveltekit": asModule(cardeaSvelteKit),
  hono: asModule(hono),
  "@cardea/next": asModule(cardeaNext),
  "@cardea/next/jwt": asModule(cardeaNextJwt),
  "@cardea/providers-credentials": asModule({ default: Credentials, Credentials }),
  "@cardea/bridge-authjs": asModule(bridge),
  "@cardea/bridge-authjs/middleware": asModule(bridgeMiddleware),
};
