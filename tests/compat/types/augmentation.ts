// Module augmentation: each interface in one of the modules that it can be reached by. Every pair of interface and module is in
// declarations.test.ts.
import type { DefaultSession } from "@cardea/next";
import type { DefaultJWT } from "@cardea/next/jwt";

// 1. `declare module "next-auth"`.
declare module "@cardea/next" {
  interface Session {
    user: { id: string; role: string } & DefaultSession["user"];
    accessToken?: string;
    error?: "RefreshTokenError";
  }
}

// 2. `declare module "@auth/core/types"`, with a member that every user has.
declare module "@cardea/core/types" {
  interface User {
    role: string;
  }
}

// 3. `declare module "next-auth/jwt"`.
declare module "@cardea/next/jwt" {
  interface JWT extends DefaultJWT {
    role: string;
    idToken?: string;
  }
}

// 4. `declare module "@auth/core/adapters"`.
declare module "@cardea/core/adapters" {
  interface AdapterUser {
    plan?: "free" | "paid";
  }
}

// 5. Core.
declare module "@cardea/core" {
  interface Account {
    refresh_expires_at?: number;
  }
}

// 6. The package of Express.
declare module "@cardea/express" {
  interface Profile {
    login?: string;
  }
}

// 7. Twice in one module.
declare module "@cardea/next" {
  interface Session {
    tenant?: string;
  }
}
