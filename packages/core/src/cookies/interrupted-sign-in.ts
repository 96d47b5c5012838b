import type { Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import type { Cookie } from "../model/result.ts";
import { cleared } from "../protocol/cookie-attributes.ts";

/**
 * A sign-in that was interrupted after its proof: an extension asks for a factor, or the owner of an address decides. The browser holds a
 * cookie, and the server one record, which counts once. What differs is where the content is: with the record, in the store, or in the
 * cookie, encrypted.
 */
export interface InterruptedSignIn {
  /** Public: the forms of its page name it by this, and the sign-ins that these start. */
  readonly id: string;
  /** Deletes the record; false if there is none, because another request used it. */
  readonly consume: () => Promise<boolean>;
  /** Stores the record again. */
  readonly storeAgain: () => Promise<unknown>;
  /** The cookie as it was received, with the time that is left. */
  readonly cookie: Cookie;
}

/**
 * Uses a pending sign-in up, so that only one of several requests goes on with it. If what follows fails for another reason than a refusal,
 * it is there again, with its cookie.
 *
 * @returns false if another request used it.
 */
export async function takeInterrupted(
  context: FlowContext,
  { consume, storeAgain, cookie }: InterruptedSignIn,
  undo: Undo[],
): Promise<boolean> {
  if (!(await consume())) return false;
  context.jar.set(cleared(cookie.name, cookie.options));
  undo.push({
    of: "proof",
    run: async () => {
      await storeAgain();
      context.jar.set(cookie);
    },
  });
  return true;
}

/** Ends a pending sign-in, on the server too: a copy of its cookie is useless. */
export async function cancelInterrupted(
  { jar }: FlowContext,
  { consume, cookie }: Pick<InterruptedSignIn, "consume" | "cookie">,
): Promise<void> {
  jar.set(cleared(cookie.name, cookie.options));
  await consume();
}
