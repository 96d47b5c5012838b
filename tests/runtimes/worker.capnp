using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # The provider is on this machine: by default a worker reaches public addresses only.
    (name = "internet", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  # Web standards and nothing of Node's.
  compatibilityDate = "2026-05-01",
  bindings = [
    (name = "AUTH_SECRET", fromEnvironment = "AUTH_SECRET"),
    (name = "OIDC_ISSUER", fromEnvironment = "OIDC_ISSUER"),
    (name = "OIDC_CLIENT_ID", fromEnvironment = "OIDC_CLIENT_ID"),
    (name = "OIDC_CLIENT_SECRET", fromEnvironment = "OIDC_CLIENT_SECRET"),
  ],
);
