import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { freePort } from "./free-port.ts";

/** A load balancer: each request goes to the next process, and on to another where one does not take connections. */
export interface LoadBalancer {
  readonly origin: string;
  /** The processes, in any order; a process that is gone is left out. */
  targets: readonly string[];
  /** How many requests were answered. */
  answered: number;
  close(): Promise<void>;
}

/** Starts a load balancer on a free port. */
export async function startProxy(): Promise<LoadBalancer> {
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const first = turn++;
    for (let n = 0; n < proxy.targets.length; n++) {
      const target = proxy.targets[(first + n) % proxy.targets.length];
      if (target !== undefined && (await pass(incoming, outgoing, target, body))) {
        proxy.answered++;
        return;
      }
    }
    outgoing.writeHead(502).end();
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const proxy: LoadBalancer = {
    origin: `http://localhost:${port}`,
    targets: [],
    answered: 0,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}

/** Resolves to false where the target takes no connection, so that nothing of the request was done. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, target: string, body: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, headers, url } = incoming;
    const onward = request(`${target}${url}`, { method, headers, agent: false });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
      answer.once("close", () => resolve(true));
      answer.once("error", () => outgoing.destroy());
    });
    onward.on("error", (error) => {
      if ("code" in error && error.code === "ECONNREFUSED") return resolve(false);
      // It may have been done: a load balancer does not send it again.
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
      resolve(true);
    });
    onward.end(body);
  });
}
