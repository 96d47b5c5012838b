import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { nodeBody, nodeHeaders, nodeHost, nodeRequest } from "./node-request.ts";

const head = { url: "http://localhost/auth/session", method: "POST", headers: new Headers() };

describe("nodeHeaders()", () => {
  it("joins the values of a name, and leaves out names without one", () => {
    const headers = nodeHeaders({ "x-a": ["1", "2"], host: "a.example", "x-b": undefined });
    expect([...headers]).toEqual([
      ["host", "a.example"],
      ["x-a", "1, 2"],
    ]);
  });

  it("has the host of nodeHost()", () => {
    const headers = nodeHeaders({ ":method": "GET", ":authority": "a.example" }, ["Host", "a.example"]);
    expect([...headers]).toEqual([["host", "a.example"]]);
    expect([...nodeHeaders({ host: "a.example" }, ["Host", "a.example", "HOST", "b.example"])]).toEqual([
      ["host", "a.example, b.example"],
    ]);
  });
});

describe("nodeHost()", () => {
  it("is that of the only line, and joins those of several", () => {
    expect(nodeHost({})).toBeUndefined();
    expect(nodeHost({}, ["X-Host", "host", "Accept", "host"])).toBeUndefined();
    expect(nodeHost({ host: "a.example" })).toBe("a.example");
    expect(nodeHost({ host: "a.example" }, ["x", "y", "Host", "a.example"])).toBe("a.example");
    for (const [first, second] of [
      ["a.example", "b.example"],
      ["a.example", "a.example"],
      ["a.example", ""],
      ["", "a.example"],
    ] as const) {
      const lines = ["Host", first, "Accept", "*/*", "hOST", second];
      expect(nodeHost({ host: first }, lines)).toBe(`${first}, ${second}`);
      // As with `joinDuplicateHeaders` of Node.js, and on platforms that have lists.
      expect(nodeHost({ host: `${first}, ${second}` }, lines)).toBe(`${first}, ${second}`);
      expect(nodeHost({ host: [first, second] })).toBe(`${first}, ${second}`);
    }
  });

  it("is that of `:authority` in HTTP/2, joined with a `host` that differs", () => {
    const authority = { ":authority": "a.example" };
    expect(nodeHost(authority)).toBe("a.example");
    expect(nodeHost({ ...authority, host: "a.example" }, ["host", "a.example"])).toBe("a.example");
    expect(nodeHost({ ...authority, host: "b.example" })).toBe("a.example, b.example");
    expect(nodeHost({ ...authority, host: "a.example" }, ["host", "a.example", "host", "b.example"])).toBe(
      "a.example, b.example",
    );
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
