import ipaddr from "ipaddr.js";

/** How to determine the address of a client behind proxies. */
export type ClientAddress =
  /** The number of proxies in front of the application, each of which appends to `X-Forwarded-For`. */
  | { readonly hops: number }
  /** The addresses of the proxies, as networks such as `10.0.0.0/8`. */
  | readonly string[];

/** Determines the client address of a request. */
export type FindAddress = (headers: Pick<Headers, "get">) => string;

/** All unreadable addresses share one limit, so that a forged header cannot bypass it. */
const UNKNOWN = "unknown";

/**
 * Returns a function that determines the canonical address of a client: IPv4 unchanged, IPv4-mapped IPv6 as IPv4 (RFC
 * 4291 §2.5.5.2), and the first 64 bits of other IPv6 addresses, which identify one subscriber.
 *
 * Only entries written by your own proxies are trusted; proxies append, so the header is read from the right.
 *
 * @throws TypeError for a setting that is neither.
 */
export function addressFinder(client: ClientAddress): FindAddress {
  if (!("hops" in client)) {
    const networks = client.map(parseNetwork);
    return (headers) => {
      const others = forwardedFor(headers).filter((text) => !isOwn(parseAddress(text), networks));
      return canonical(others.at(-1));
    };
  }
  const { hops } = client;
  if (!Number.isInteger(hops) || hops < 1)
    throw new TypeError("attempts(): `client.hops` must be an integer of at least 1.");
  return (headers) => canonical(forwardedFor(headers).at(-hops));
}

/** Platforms that set a header to the address of the client, whatever the client sent; by their environment variable. */
const PLATFORMS = { VERCEL: "x-real-ip", CF_PAGES: "cf-connecting-ip" } as const;

/** Determines the client address on a platform that reports it; undefined elsewhere. */
export function platformAddress(): FindAddress | undefined {
  const env: unknown = Reflect.get(Object(Reflect.get(globalThis, "process")), "env");
  const [, header] = Object.entries(PLATFORMS).find(([name]) => Boolean(Reflect.get(Object(env), name))) ?? [];
  return header === undefined ? undefined : (headers) => canonical(headers.get(header) ?? undefined);
}

function forwardedFor(headers: Pick<Headers, "get">): readonly string[] {
  const text = headers.get("x-forwarded-for") ?? "";
  return text.split(",").map((part) => part.trim());
}

function parseNetwork(text: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    return ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`);
  } catch (cause) {
    throw new TypeError(`attempts(): \`client\` has "${text}", which is not a network such as 10.0.0.0/8.`, { cause });
  }
}

function isOwn(
  address: ipaddr.IPv4 | ipaddr.IPv6 | undefined,
  networks: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[],
): boolean {
  return networks.some(([network, bits]) => address?.kind() === network.kind() && address.match(network, bits));
}

/**
 * Parses an address with or without a port; undefined for anything else, such as the legacy notations of `inet_aton`.
 */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  const bare = (bracketed ?? withPort ?? text).replace(/%.*$/, "");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  return bare.includes(":") && ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined;
}

function canonical(text: string | undefined): string {
  const address = text === undefined ? undefined : parseAddress(text);
  if (address === undefined) return UNKNOWN;
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
