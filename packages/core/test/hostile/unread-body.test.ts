import { expect, it } from "vitest";
import { BASE, setUp } from "../harness/harness.ts";

const SECRET = "hunter2-of-a-visitor";

it.each([
  ["application/json", `{"password":"${SECRET}", "x"`, 400],
  ["application/json", SECRET, 400],
  ["application/json", `["${SECRET}"]`, 400],
  ["application/x-www-form-urlencoded", `password=${SECRET}&csrfToken=a&csrfToken=b`, 400],
  ["multipart/form-data; boundary=x", `--x\r\n${SECRET}`, 400],
  ["text/plain", SECRET, 415],
])("no part of a body of type %s that cannot be read reaches the log: %j", async (type, body, status) => {
  const app = setUp({ config: { debug: true } });
  app.plant(SECRET);
  const answer = await app.send(`${BASE}/callback/credentials`, {
    method: "POST",
    body,
    headers: { "content-type": type },
  });
  expect(answer.status).toBe(status);
  expect(app.logs.length).toBeGreaterThan(0);
});
