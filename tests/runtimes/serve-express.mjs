import { createExpressApplication } from "./express-application.mjs";

const server = createExpressApplication(process.env).listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: server.address().port }));
});
