/**
 * Adds the remedy to an error of `server.listen()`.
 *
 * @param caller the function that was called, such as `startSmtpSink()`.
 * @returns for a port in use, an error with the same `code` and the original as `cause`; any other error unchanged.
 */
export function explainListenError(error: unknown, caller: string): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) return error;
  const port = "port" in error ? ` ${error.port}` : "";
  const message = `${caller}: port${port} is already in use. End the process that uses it, or choose another \`port\`.`;
  return Object.assign(new Error(message, { cause: error }), { code: error.code });
}
