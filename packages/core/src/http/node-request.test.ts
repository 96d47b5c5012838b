import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { carriedMethod, nodeBody, nodeHeaders, nodeHost, nodePath, nodeRequest } from "./node-request.ts";

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
    const { body } = nodeRequest(head, () => nodeBody(Readable.from([Buffer.from("a="), "ö"]), new Headers()));
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
    const body = nodeBody(source, new Headers());
    expect(made).toBe(0);
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await new Promise((resolve) => source.once("end", resolve));
    expect(made).toBe(3);
  });

  describe("of a request that has arrived", () => {
    const arrived = (more: object) => {
      const source = new Readable({ read: () => undefined });
      for (const part of [Buffer.from("a="), Buffer.from("ö"), null]) source.push(part);
      const made = vi.spyOn(source, "iterator");
      return { source: Object.assign(source, more), made };
    };

    async function textOf(source: Readable) {
      const reader = nodeBody(source, new Headers())?.getReader();
      const parts: string[] = [];
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        parts.push(new TextDecoder().decode(part.value));
      return parts.join("");
    }

    it("reads it without an iterator, and the stream ends", async () => {
      const { source, made } = arrived({ complete: true, httpVersionMajor: 1 });
      const ended = new Promise((resolve) => source.once("end", resolve));
      expect(await textOf(source)).toBe("a=ö");
      expect(made).not.toHaveBeenCalled();
      await ended;
    });

    it.each([
      ["an HTTP/2 request, which counts as complete when it was aborted", { complete: true, httpVersionMajor: 2 }],
      ["a request that is still arriving", { complete: false, httpVersionMajor: 1 }],
      ["a request of another platform", {}],
    ])("waits for the end of %s", async (_name, more) => {
      const { source, made } = arrived(more);
      expect(await textOf(source)).toBe("a=ö");
      expect(made).toHaveBeenCalledOnce();
    });

    it("does not take a closed stream for an empty body", async () => {
      const { source } = arrived({ complete: true, httpVersionMajor: 1 });
      source.destroy();
      await expect(textOf(source)).rejects.toThrow();
    });
  });

  it("is null where there are no streams of Node.js, and nothing was read", () => {
    expect(nodeBody({}, new Headers())).toBeNull();
  });

  it.each([
    ["the bytes that a platform kept", { rawBody: Buffer.from("a=1") }, "a=1"],
    ["the bytes where a parser of another type left nothing", { rawBody: Buffer.from("a=1"), body: {} }, "a=1"],
    ["what the application made of it, in place of the bytes", { rawBody: "a=9", body: { a: ["1", "2"] } }, "a=1&a=2"],
    ["what a promise resolves to", { body: Promise.resolve({ a: "1" }) }, "a=1"],
    ["nothing of an empty promise", { body: Promise.resolve() }, ""],
    ["bytes in place of a stream", { ...Readable.prototype, readableEnded: true, body: Buffer.from("a=1") }, "a=1"],
  ])("has %s, once it was read", async (_name, incoming, expected) => {
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", "content-length": "9" });
    const part = await nodeBody({ readableDidRead: true, ...incoming }, headers)
      ?.getReader()
      .read();
    expect([new TextDecoder().decode(part?.value), headers.get("content-length")]).toEqual([expected, null]);
  });
});

describe("a body that cannot be read", () => {
  const used = async () => {
    const stream = new Response("a=1").body;
    const reader = stream?.getReader();
    while ((await reader?.read())?.done === false);
    reader?.releaseLock();
    return stream;
  };
  const lockedStream = () => {
    const stream = new Response("a=1").body;
    stream?.getReader();
    return stream;
  };

  it("is rejected where it is read, not before", async () => {
    const body = nodeBody({ body: Promise.reject(new TypeError("malformed")) }, new Headers());
    await new Promise((resolve) => setImmediate(resolve));
    await expect(body?.getReader().read()).rejects.toThrow("malformed");
  });

  it.each([
    ["locked", async () => lockedStream()],
    ["read to its end", used],
  ])("is a stream that is %s", async (_name, make) => {
    const body = nodeBody({ body: await make() }, new Headers());
    expect(() => body?.getReader()).toThrow(TypeError);
  });
});

describe("nodePath()", () => {
  it.each([
    [{ url: "/a/../b?c" }, "/a/../b"],
    [{ url: "http://localhost/a" }, "/a"],
    [{ url: "*" }, ""],
    [{}, undefined],
    [undefined, undefined],
  ])("of %j is %j", (incoming, path) => expect(nodePath(incoming)).toBe(path));
});

describe("carriedMethod()", () => {
  it.each(["GET", "get", "Patch", "PROPFIND", "M-SEARCH", "TRACER", "x"])("accepts %s, in upper case", (method) => {
    expect(carriedMethod(method)).toBe(method.toUpperCase());
    expect(new Request("http://localhost/", { method }).method.toUpperCase()).toBe(method.toUpperCase());
  });

  it.each(["TRACE", "trace", "CONNECT", "Track", "", "a b", "GET\n", "Ö", "ſ", "ı", "G:T"])(
    "has none for %j",
    (method) => {
      expect(carriedMethod(method)).toBeNull();
      const build = () => new Request("http://localhost/", { method });
      expect(build).toThrow(TypeError);
    },
  );
});
