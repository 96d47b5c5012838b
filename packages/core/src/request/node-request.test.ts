import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { nodeBody, nodeHeaders, nodeRequest } from "./node-request.ts";

const head = { url: "http://localhost/auth/session", method: "POST", headers: new Headers() };

describe("nodeHeaders()", () => {
  it("joins the values of a name, and leaves out names without one", () => {
    const headers = nodeHeaders({ "x-a": ["1", "2"], host: "a.example", "x-b": undefined });
    expect([...headers]).toEqual([
      ["host", "a.example"],
      ["x-a", "1, 2"],
    ]);
  });

  it("takes the host of HTTP/2 from `:authority`, whatever `host` says", () => {
    const headers = nodeHeaders({ ":method": "GET", ":authority": "a.example", host: "b.example" });
    expect([...headers]).toEqual([["host", "a.example"]]);
  });
});

describe("nodeRequest()", () => {
  it("calls for a body only where the method has one", () => {
    const build = (method: string) =>
      nodeRequest({ ...head, method }, () => {
        throw new Error("read");
      });
    expect(build("GET").body).toBeNull();
    expect(build("HEAD").body).toBeNull();
    expect(() => build("POST")).toThrow("read");
  });

  it("has OPTIONS in place of a method that a Request cannot have", () => {
    for (const method of ["TRACE", "CONNECT", "TRACK"])
      expect(nodeRequest({ ...head, method }, () => null).method).toBe("OPTIONS");
  });
});

describe("nodeBody()", () => {
  it("reads bytes and text", async () => {
    const { body } = nodeRequest(head, () => nodeBody(Readable.from([Buffer.from("a="), "ö"])));
    const reader = body?.getReader();
    const parts = [await reader?.read(), await reader?.read()].map((part) => new TextDecoder().decode(part?.value));
    expect([...parts, await reader?.read()]).toEqual(["a=", "ö", { done: true }]);
  });

  it("reads nothing before it is asked to, and discards the rest when the reader stops", async () => {
    let made = 0;
    const source = Readable.from(
      (function* () {
        for (; made < 3; made += 1) yield Buffer.from("x");
      })(),
      { highWaterMark: 0 },
    );
    const body = nodeBody(source);
    expect(made).toBe(0);
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await new Promise((resolve) => source.once("end", resolve));
    expect(made).toBe(3);
  });

  it("is null where there are no streams of Node.js", () => {
    expect(nodeBody({})).toBeNull();
  });
});
