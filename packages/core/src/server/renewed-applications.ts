import { createApplications } from "../config/applications.ts";
import { listSecrets } from "../config/resolve-secrets.ts";
import type { AuthConfig } from "../model/config.ts";
import { type Application, createApplication } from "./config-resolver.ts";

/** An application whose configuration may be created for each request, and its latest configuration. */
interface RenewedApplication {
  application: Application;
  last: object;
}

/** Of this process. Configurations without a secret are one application: they use the secret of the environment. */
const renewedOf = createApplications<RenewedApplication>(() => ({ application: createApplication(), last: {} }));

/**
 * The application of a configuration that is new to `Auth()`. A server may create its configuration for each request; limits and marks must
 * not start over each time.
 *
 * @param kept configurations that served more than one request, and so are not created per request. A different object with the
 *   same secret is then a separate application.
 */
export function applicationOf(config: AuthConfig, kept: WeakSet<object>): Application {
  const secrets = listSecrets(config?.secret);
  const renewed = renewedOf(secrets.length > 0 ? secrets : [""]);
  if (kept.has(renewed.last)) renewed.application = createApplication();
  renewed.last = config;
  return renewed.application;
}
