// A custom server of Next.js (https://nextjs.org/docs/app/guides/custom-server) for the application in the working directory.
//
//   node custom-server.mjs '{"hostname":"127.0.0.1"}'     options of next()
import { createServer } from "node:http";
import { createRequire } from "node:module";

const { resolve } = createRequire(`${process.cwd()}/package.json`);
const { default: next } = await import(resolve("next"));
const options = JSON.parse(process.argv[2] ?? "{}");

const app = next({ dev: false, dir: process.cwd(), ...options });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => handle(request, response));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port} Ready in`));
