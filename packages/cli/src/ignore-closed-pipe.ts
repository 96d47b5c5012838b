import type { Writable } from "node:stream";

/**
 * Handles a reader that closes the pipe early, such as `cardea explain | head -1`: further output is dropped, and the
 * command ends normally. Any other stream error is thrown.
 */
export function ignoreClosedPipe(stream: Writable): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
