import { createApplication } from "./application.mjs";

const onListen = ({ port }) => console.log(JSON.stringify({ port }));
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, createApplication(Deno.env.toObject()));
