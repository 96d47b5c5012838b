/** For tests: an application on a port of this machine, and unmodified requests to it. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import express from "express";

const require = createRequire(import.meta.url);
const express4: typeof express = require("express4");

/** Both versions, each with its wildcard syntax. */
export const frameworks = [
  { version: 5, express, wildcard: "*splat" },
  { version: 4, express: express4, wildcard: "*" },
] as const;

/** A running application. */
export interface RunningApp {
  readonly origin: string;
  readonly port: number;
  /** Sends a request unchanged; does not follow redirects. */
  readonly send: (request: Request) => Promise<Response>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts an application on a free loopback port. */
export async function runApp(app: express.Express): Promise<RunningApp> {
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const port = parsePort(server.address());
  return {
    origin: `http://localhost:${port}`,
    port,
    send: (request) => send(request, port),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function send(request: Request, port: number): Promise<Response> {
  const { pathname, search, host } = new URL(request.url);
  const headers = { host, ...Object.fromEntries(request.headers) };
  const body = Buffer.from(await request.arrayBuffer());
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method: request.method, path: `${pathname}${search}`, headers };
    httpRequest(options, resolve).once("error", reject).end(body);
  });
  return toResponse(incoming, request.method);
}

async function toResponse(incoming: IncomingMessage, method: string): Promise<Response> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part));
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 0;
  const isEmpty = method === "HEAD" || [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers });
}

function parsePort(address: AddressInfo | string | null): number {
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("The server is not listening on a port.");
}
