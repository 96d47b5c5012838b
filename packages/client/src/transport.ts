import { ClientFetchError } from "./client-fetch-error.ts";
import type { ClientOptions } from "./types.ts";

/** The JSON response to one request, with any status. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly body: unknown;
  /** Why the session ended, if the user did not sign out here. */
  readonly ended?: string | undefined;
}

/** Requests below one base path. */
export interface Transport {
  readonly base: string;
  readonly get: (action: string, signal?: AbortSignal) => Promise<Answer>;
  /**
   * @param encode creates the body for a CSRF token.
   * @param isRefused whether a response rejects the token.
   */
  readonly post: (
    action: string,
    encode: (csrfToken: string) => BodyInit,
    isRefused: (answer: Answer) => boolean,
  ) => Promise<Answer>;
  readonly getCsrfToken: () => Promise<string>;
}

/** Sends requests to the server in `options`. All functions reject with ClientFetchError. */
export function createTransport({ basePath = "/api/auth", baseUrl = "" }: ClientOptions): Transport {
  const path = basePath.replace(/^\/+|\/+$/g, "");
  const base = baseUrl.replace(/\/+$/, "") + (path && `/${path}`);
  const get = (action: string, signal?: AbortSignal) => send(`${base}/${action}`, signal && { signal });
  const getCsrfToken = async () => parseCsrfToken(await get("csrf"));
  const post: Transport["post"] = async (action, encode, isRefused) => {
    const attempt = async () => {
      const body = encode(await getCsrfToken());
      return send(`${base}/${action}`, { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } });
    };
    const answer = await attempt();
    // A sign-in or sign-out in another tab changed the token in the meantime. Nothing was done yet: retry with a new token.
    return isRefused(answer) ? attempt() : answer;
  };
  return { base, get, post, getCsrfToken };
}

async function send(url: string, init?: RequestInit): Promise<Answer> {
  let status = 0;
  try {
    // Of a server at another origin only with its option `origins`.
    const response = await fetch(url, { ...init, credentials: "include" });
    status = response.status;
    const ended = response.headers.get("x-auth-session-ended") ?? undefined;
    return { url, status, body: await response.json(), ended };
  } catch (cause) {
    throw new ClientFetchError(url, status, cause);
  }
}

/** A text member of a successful JSON response. */
export function parseText({ status, body }: Answer, name: string): string | undefined {
  const value = status < 400 ? (body as Readonly<Record<string, unknown>> | null)?.[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** 404 means that CSRF protection is disabled (docs/behaviour.md#actions): there is nothing to send. */
function parseCsrfToken(answer: Answer): string {
  return answer.status === 404 ? "" : (parseText(answer, "csrfToken") ?? refuse(answer));
}

/** @throws ClientFetchError for an unusable response. */
export function refuse({ url, status }: Answer): never {
  throw new ClientFetchError(url, status);
}
