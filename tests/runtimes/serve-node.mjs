// Node has no server for web standards of its own: this is all that has to be translated.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { createApplication } from "./application.mjs";

const application = createApplication(process.env);

const server = createServer(async (incoming, outgoing) => {
  const { method, headers, url } = incoming;
  const body = method === "GET" || method === "HEAD" ? null : Readable.toWeb(incoming);
  const request = new Request(`http://${headers.host}${url}`, { method, headers, body, duplex: "half" });
  const response = await application(request);
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  outgoing.end(Buffer.from(await response.arrayBuffer()));
});

server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port })));
