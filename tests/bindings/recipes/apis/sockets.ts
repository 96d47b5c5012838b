import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { auth } from "./express-auth.ts";

const CHECK_MS = 30_000;
const sockets = new WebSocketServer({ noServer: true });

async function open(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  // Without a listener, a client that disconnects now would end the process.
  socket.on("error", () => socket.destroy());
  const session = req.headers.origin === process.env.AUTH_URL ? await auth(req).catch(() => null) : null;
  if (session === null) return void socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
  sockets.handleUpgrade(req, socket, head, (client) => {
    // A connection would outlive its session: read it again. An outage (a rejection) closes nothing.
    const check = () =>
      auth(req).then(
        (current) => current === null && client.close(4401, "signed out"),
        () => undefined,
      );
    const timer = setInterval(check, CHECK_MS);
    client.on("close", () => clearInterval(timer));
    client.on("error", () => client.terminate());
    client.on("message", (text) => client.send(`${session.user?.name}: ${text}`));
  });
}

export function serveSockets(server: Server): void {
  server.on("upgrade", open);
}
