import ipaddr from "ipaddr.js";

/** How the address of a client is found behind proxies. */
export type ClientAddress =
  /** The number of proxies in front of the application, each of which appends to `X-Forwarded-For`. */
  | { readonly hops: number }
  /** The addresses of the proxies, as networks such as `10.0.0.0/8`. */
  | readonly string[];

/** Finds the address of the client of a request. */
export type FindAddress = (headers: Pick<Headers, "get">) => string;

/** What cannot be read shares one budget: a forged header must not be a way around the limit. */
const UNKNOWN = "unknown";

/**
 * Makes a function that finds the address of a client, canonical: IPv4 as it is, IPv4 in IPv6 as IPv4 (RFC 4291 §2.5.5.2), of IPv6 the
 * first 64 bits, which one subscriber has.
 *
 * Only what the own proxies wrote is believed: they append, so that it is read from the right.
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
    throw new TypeError("attempts(): `client.hops` must be a whole number from 1.");
  return (headers) => canonical(forwardedFor(headers).at(-hops));
}

function forwardedFor(headers: Pick<Headers, "get">): readonly string[] {
  const text = headers.get("x-forwarded-for") ?? "";
  return text.split(",").map((part) => part.trim());
}

function parseNetwork(text: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    return ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`);
  } catch (cause) {
    throw new TypeError(`attempts(): \`client\` has "${text}", which is no network such as 10.0.0.0/8.`, { cause });
  }
}

function isOwn(
  address: ipaddr.IPv4 | ipaddr.IPv6 | undefined,
  networks: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[],
): boolean {
  return networks.some(([network, bits]) => address?.kind() === network.kind() && address.match(network, bits));
}

/** An address with or without a port; undefined for anything else, such as the forms that only old C libraries read. */
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
