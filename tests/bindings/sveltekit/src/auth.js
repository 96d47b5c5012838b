import { SvelteKitAuth } from "@cardea/sveltekit";
import { bindingConfig } from "@cardea/testing/binding-application";

export const { handle, signIn, signOut } = SvelteKitAuth(bindingConfig(process.env));

/** How often members were shown something. */
export const count = { runs: 0 };
