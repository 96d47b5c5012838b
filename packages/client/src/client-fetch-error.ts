/** The server is unreachable, or sent an unusable response. Identified by `type`, also across copies of the library. */
export class ClientFetchError extends Error {
  override readonly name = "ClientFetchError";
  readonly type = "ClientFetchError";
  /** The HTTP status of the response; 0 if there was none. */
  readonly status: number;

  /**
   * @param url the requested URL.
   * @param cause the error of `fetch` or of the JSON parser.
   */
  constructor(url: string, status: number, cause?: unknown) {
    super(`No answer of use from ${url} (${status}). Is basePath right?`, { cause });
    this.status = status;
  }
}
