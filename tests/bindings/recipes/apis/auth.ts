import { createAuth } from "@cardea/core";
import { GitHub } from "@cardea/providers-github";

export const { handlers, auth } = createAuth({ providers: [GitHub] });
