import { describe, expect, it, vi } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { addressFinder, type ClientAddress, platformAddress } from "./client-address.ts";

const find = (client: ClientAddress, forwarded?: string) =>
  addressFinder(client)(new Headers(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }));

describe("addressFinder()", () => {
  it.each([
    [1, "203.0.113.9", "203.0.113.9"],
    [1, "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    [2, "198.51.100.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"],
    [3, "203.0.113.9, 10.0.0.1", "unknown"],
    [1, "", "unknown"],
  ])("behind %i proxies, of %j believes %s", (hops, forwarded, address) => {
    expect(find({ hops }, forwarded)).toBe(address);
  });

  it.each([
    ["198.51.100.1, 203.0.113.9, 10.1.2.3, 10.0.0.1", "203.0.113.9"],
    ["10.1.2.3", "unknown"],
    ["203.0.113.9, junk, 10.0.0.1", "unknown"],
  ])("behind proxies of a network, of %j believes %s", (forwarded, address) => {
    expect(find(["10.0.0.0/8", "2001:db8:ffff::/48"], forwarded)).toBe(address);
  });

  it("takes all spellings of one address for one", () => {
    const spellings = new Set<string>();
    for (let n = 0; spellings.size < (isLong ? 10_000 : 1_000); n++) {
      const host = n
        .toString(16)
        .padStart(16, "0")
        .replace(/(.{4})(?=.)/g, "$1:");
      spellings.add(`${n % 2 ? "2001:db8:0:1" : "2001:0DB8:0000:0001"}:${n % 3 ? host : host.toUpperCase()}`);
    }
    expect(new Set([...spellings].map((text) => find({ hops: 1 }, text)))).toEqual(new Set(["2001:db8:0:1"]));
    const four = [
      "192.0.2.7",
      "192.0.2.7:443",
      "::ffff:192.0.2.7",
      "::FFFF:c000:0207",
      "[::ffff:192.0.2.7]:80",
      " 192.0.2.7 ",
    ];
    expect(new Set(four.map((text) => find({ hops: 1 }, text)))).toEqual(new Set(["192.0.2.7"]));
  });

  it.each(["0300.0.2.7", "0xc0.0.2.7", "3221225991", "192.0.2", "localhost", "1.2.3.4.5", "a:b"])(
    "gives %j, which is no address, no budget of its own",
    (text) => {
      expect(find({ hops: 1 }, text)).toBe("unknown");
    },
  );

  it("refuses settings that name no proxy", () => {
    expect(() => addressFinder({ hops: 0 })).toThrow("`client.hops`");
    expect(() => addressFinder(["ten"])).toThrow("is not a network");
  });
});

describe("platformAddress()", () => {
  it.each([
    ["VERCEL", "x-real-ip"],
    ["CF_PAGES", "cf-connecting-ip"],
  ])("reads the header that the platform sets: %s", (variable, header) => {
    vi.stubEnv(variable, "1");
    const find = platformAddress();
    vi.unstubAllEnvs();
    const headers = new Headers({ [header]: "192.0.2.7", "x-forwarded-for": "198.51.100.1" });
    expect([find?.(headers), find?.(new Headers())]).toEqual(["192.0.2.7", "unknown"]);
  });

  it("is undefined elsewhere", () => {
    expect(platformAddress()).toBeUndefined();
  });
});
