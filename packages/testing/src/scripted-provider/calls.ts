/** What a scripted provider was asked. */

/** One request, as it arrived. */
export interface ProviderCall {
  /** The HTTP method, upper-case. */
  readonly method: string;
  /** The absolute URL, query included. */
  readonly url: string;
  /** Names lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty when there was none. */
  readonly body: string;
  /** The query of an authorization request, the form of any other. */
  readonly params: URLSearchParams;
  /** Milliseconds since 1970 on the provider's clock. */
  readonly at: number;
  /** How many bytes of the answer's body were read so far. */
  bytesSent: number;
}

/** What an endpoint is called here. `authorize` is the person's browser, the rest is the client's `fetch`. */
export type EndpointName = "discovery" | "jwks" | "authorize" | "token" | "userinfo";

/** The endpoints a client's `fetch` is answered by. */
export type FetchedEndpoint = Exclude<EndpointName, "authorize"> | "resource";

/** Every request so far, oldest first, by endpoint. */
export interface ProviderCalls extends Readonly<Record<EndpointName, readonly ProviderCall[]>> {
  /** Further resources the provider was given (`resources`). */
  readonly resource: readonly ProviderCall[];
  /** Requests to places where this provider has nothing: each one failed like an unreachable host. */
  readonly other: readonly ProviderCall[];
  /** Forgets all requests. */
  reset(): void;
}

/** The lists behind {@link ProviderCalls}. */
export class CallLog implements ProviderCalls {
  readonly discovery: ProviderCall[] = [];
  readonly jwks: ProviderCall[] = [];
  readonly authorize: ProviderCall[] = [];
  readonly token: ProviderCall[] = [];
  readonly userinfo: ProviderCall[] = [];
  readonly resource: ProviderCall[] = [];
  readonly other: ProviderCall[] = [];

  reset(): void {
    for (const list of [this.discovery, this.jwks, this.authorize, this.token, this.userinfo]) list.length = 0;
    this.resource.length = 0;
    this.other.length = 0;
  }
}

/** Reads a request into a record of it. */
export async function recordCall(request: Request, at: number): Promise<ProviderCall> {
  const body = await request.text();
  return {
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body,
    params: new URLSearchParams(body),
    at,
    bytesSent: 0,
  };
}
