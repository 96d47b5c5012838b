import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceOf, readDevice, truncateAddress } from "./device.ts";

describe("readDevice()", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
      "Chrome",
      "Windows",
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
      "Chrome",
      "Linux",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
      "Edge",
      "Windows",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
      "Safari",
      "macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "Safari",
      "iOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
      "Chrome",
      "iOS",
    ],
    [
      "Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
      "Samsung Internet",
      "Android",
    ],
    [
      "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
      "Chrome",
      "ChromeOS",
    ],
    ["curl/8.5.0", "curl/8.5.0", null],
  ])("%s", (userAgent, browser, os) => {
    expect(readDevice(userAgent)).toEqual({ browser, os });
  });

  it("names nothing where nothing is recorded, and never throws", () => {
    expect([readDevice(null), readDevice("")]).toEqual([
      { browser: null, os: null },
      { browser: null, os: null },
    ]);
    fc.assert(fc.property(fc.string(), (text) => void readDevice(text)));
  });
});

describe("truncateAddress()", () => {
  it.each([
    ["192.0.2.77", "192.0.2.0"],
    ["192.0.2.77:443", "192.0.2.0"],
    ["::ffff:192.0.2.77", "192.0.2.0"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::"],
    ["[2001:db8:1:2::9]:443", "2001:db8:1::"],
    ["2001:0DB8::1%eth0", "2001:db8:0::"],
    ["::1", "0:0:0::"],
  ])("%s is %s", (address, truncated) => {
    expect(truncateAddress(address)).toBe(truncated);
  });

  it.each(["", "localhost", "1:2:3", "1::2::3", "12345::1", "1:2:3:4:5:6:7:8:9", "<script>", "1.2.3"])(
    "%j is no address",
    (text) => {
      expect(truncateAddress(text)).toBeNull();
    },
  );

  it("of any IPv6 address keeps the first 48 bits, and nothing else", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (address.includes(".")) return;
        const url = (text: string) => new URL(`http://[${text}]`).hostname.slice(1, -1);
        const first = expand(url(address)).slice(0, 3);
        expect(expand(url(truncateAddress(address) ?? "invalid"))).toEqual([...first, 0, 0, 0, 0, 0]);
      }),
    );
  });
});

/** The eight groups of a canonical address. */
function expand(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":").map((group) => Number.parseInt(group, 16)) : []);
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

describe("deviceOf()", () => {
  const headers = new Headers({
    "user-agent": "x".repeat(300),
    "x-forwarded-for": "203.0.113.9, 192.0.2.77, 10.0.0.1",
  });

  it("believes what the own proxies wrote, and records no more than it was told to", () => {
    expect(deviceOf({ userAgent: true, ip: true, hops: 2 }, headers)).toEqual({
      userAgent: "x".repeat(256),
      ip: "192.0.2.0",
    });
    expect(deviceOf({ userAgent: false, ip: true, hops: 9 }, headers)).toBeNull();
    expect(deviceOf({ userAgent: true, ip: false, hops: 1 }, headers)).toEqual({ userAgent: "x".repeat(256) });
    expect(deviceOf({ userAgent: false, ip: false, hops: undefined }, headers)).toBeNull();
  });
});
