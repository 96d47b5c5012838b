/** The surroundings of the application under test: a provider and an inbox, on a loopback port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createScriptedProvider, type ScriptedProvider } from "../scripted-provider.ts";

/** The provider and the inbox. */
export interface Outside {
  readonly url: string;
  readonly provider: ScriptedProvider;
  /** The links sent to an address, oldest first. */
  readonly linksTo: (address: string) => readonly string[];
  readonly close: () => Promise<void>;
}

interface Mail {
  readonly to: string;
  readonly url: string;
}

/** Starts the provider and the inbox. */
export async function startOutside(): Promise<Outside> {
  const mails: Mail[] = [];
  const server = createServer();
  const url = `http://127.0.0.1:${await listen(server)}`;
  const provider = createScriptedProvider({ issuer: url });
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answer(incoming, url, provider, mails).then(
      (response) => send(response, outgoing),
      () => outgoing.writeHead(500).end(),
    );
  });
  return {
    url,
    provider,
    linksTo: (address) => mails.filter(({ to }) => to === address).map((mail) => mail.url),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  url: string,
  provider: ScriptedProvider,
  mails: Mail[],
): Promise<Response> {
  const body = Buffer.concat(await incoming.toArray());
  if (incoming.url === "/mail") {
    mails.push(parseMail(JSON.parse(body.toString("utf8"))));
    return new Response(null, { status: 204 });
  }
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((item): [string, string] => [name, item]),
  );
  const method = incoming.method ?? "GET";
  const init = { method, headers, redirect: "manual" as const };
  return provider.fetch(new Request(`${url}${incoming.url}`, body.length === 0 ? init : { ...init, body }));
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

function parseMail(value: unknown): Mail {
  const { to, url } = Object(value);
  return { to: String(to), url: String(url) };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A cast: the address of a server that listens on a port is an object.
  return (server.address() as AddressInfo).port;
}
