import { createAuth } from "@cardea/express";
import { GitHub } from "@cardea/providers-github";

export const { router, auth } = createAuth(async () => ({ providers: [GitHub] }));
