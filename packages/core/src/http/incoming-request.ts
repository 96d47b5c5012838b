/** The parts of a request that handling it reads: a `Request`, or what a framework adapter for Node.js makes without one. */
export interface IncomingRequest {
  /** The URL as the server sees it. */
  readonly url: string;
  /** The method as it was sent. */
  readonly method: string;
  /** The headers. */
  readonly headers: Headers;
  /** The unread body; null without one. */
  readonly body: IncomingBody | null;
}

/** A body, as the stream of a `Request` has it. */
export interface IncomingBody {
  /**
   * Opens the body.
   *
   * @throws TypeError if it was opened before.
   */
  getReader(): BodyReader;
}

/** Reads a body part by part. */
export interface BodyReader {
  /** The next part. Rejects if the client disconnects. */
  read(): Promise<BodyPart>;
  /** Discards the rest. */
  cancel(): Promise<unknown>;
}

/** A part of a body, or its end. */
export type BodyPart =
  | { readonly done: true; readonly value?: Uint8Array | undefined }
  | { readonly done: false; readonly value: Uint8Array };
