// The environment comes with the first request; the application is made once.
import { createApplication } from "./application.mjs";

let application;

export default {
  fetch: (request, env) => {
    application ??= createApplication(env);
    return application(request);
  },
};
