/** The server could not be asked, or did not answer as it should. Told apart by `type`, across copies of the library too. */
export class ClientFetchError extends Error {
  override readonly name = "ClientFetchError";
  readonly type = "ClientFetchError";
  /** The HTTP status of the answer; 0 when there was none. */
  readonly status: number;

  /**
   * @param url that was asked.
   * @param cause what `fetch` or the JSON parser threw.
   */
  constructor(url: string, status: number, cause?: unknown) {
    super(`No answer of use from ${url} (${status}). Is basePath right?`, { cause });
    this.status = status;
  }
}
