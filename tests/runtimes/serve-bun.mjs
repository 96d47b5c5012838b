import { createApplication } from "./application.mjs";

const { port } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: createApplication(process.env) });
console.log(JSON.stringify({ port }));
