"use client";

import { createClient } from "@cardea/next/react";
import type { auth } from "@/auth";

/** The browser's side, typed with the session that `auth` gives. */
export const { SessionProvider, useSession, signOut, signInWithPasskey, registerPasskey } = createClient<typeof auth>();
