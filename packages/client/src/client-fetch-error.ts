/** The server is unreachable, or sent an unusable response. Identified by `type`, also across copies of the library. */
export class ClientFetchError extends Error {
  /** Same as `type`. */
  override readonly name = "ClientFetchError";
  /** Identifies the error. */
  readonly type = "ClientFetchError";
  /** The HTTP status of the response; 0 if there was none. */
  readonly status: number;

  /**
   * @param url the requested URL.
   * @param cause the error of `fetch` or of the JSON parser.
   */
  constructor(url: string, status: number, cause?: unknown) {
    super(`No usable response from ${url} (status ${status}). Check \`basePath\`.`, { cause });
    this.status = status;
  }
}
