// Loaded into the servers of the walks before their own code: whatever they listen on, no one but this machine gets in.
import { Server } from "node:net";

const { listen } = Server.prototype;

Server.prototype.listen = function listenOnLoopback(...args) {
  const [first, second] = args;
  if (typeof first === "object" && first !== null && "port" in first) args[0] = { ...first, host: "127.0.0.1" };
  else if (/^\d+$/.test(String(first))) args.splice(1, typeof second === "function" ? 0 : 1, "127.0.0.1");
  return listen.apply(this, args);
};
