// CPU time that authentication adds to an Express route which answers with the user's name. Each contender is an application of its
// own in one server process; requests come from this process over a kept connection.
import { fork } from "node:child_process";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { median } from "../measure-interleaved.mjs";

const ROUNDS = 15;
const REQUESTS = 400;

/** Yields the row; the ratios are CPU time beyond that of the same route without authentication, the floor's being 1. */
export async function* measureRow({ isAsked }) {
  const name = "Express `/me`: CPU of authentication";
  if (!isAsked(name)) return;
  const server = fork(join(import.meta.dirname, "../express-server.mjs"), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { port, apps } = await message(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = Object.fromEntries(Object.keys(apps).map((app) => [app, []]));
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const [app, cookie] of Object.entries(apps)) {
      server.send("clock");
      await message(server);
      for (let n = 0; n < REQUESTS; n += 1) await get(agent, port, `/${app}/me`, cookie);
      server.send("clock");
      const { microseconds } = await message(server);
      if (round >= 0) times[app].push(microseconds / REQUESTS);
    }
  }
  agent.destroy();
  server.kill();
  const { plain, ...contenders } = times;
  const added = Object.fromEntries(
    Object.entries(contenders).map(([app, all]) => [app, all.map((time, round) => time - plain[round])]),
  );
  const floor = median(added.floor);
  const ratios = Object.fromEntries(Object.entries(added).map(([app, all]) => [app, median(all) / floor]));
  yield { name, ratios, goal: "≤ 1.8", floor: `1 (${floor.toFixed(1)} µs)` };
}

const message = (child) => new Promise((resolve) => child.once("message", resolve));

function get(agent, port, path, cookie) {
  return new Promise((resolve, reject) => {
    const headers = {
      cookie,
      accept: "*/*",
      "user-agent": "bench",
      "accept-language": "en",
      "sec-fetch-site": "same-origin",
    };
    httpRequest({ agent, port, host: "127.0.0.1", path, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.resume().once("end", resolve);
    })
      .once("error", reject)
      .end();
  });
}
