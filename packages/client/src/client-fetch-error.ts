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
    // Often the page is that of a development server, which knows no endpoints, or has another origin than the one that does.
    const page = globalThis.location?.origin;
    super(
      `No usable response from ${url} (status ${status}) for a page of ${page}. Check \`basePath\`, and \`origins\` or the proxy (docs/single-page-applications.md).`,
      { cause },
    );
    this.status = status;
  }
}
