import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuthConfig } from "../model/config.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { standardParts } from "../standard.ts";
import { resolveConfig } from "./resolve-config.ts";
import { createReuse } from "./reuse-resolution.ts";

const mark = Symbol("custom");
const authorize = () => null;
const adapter = { createUser: () => null };

/** A new object of the same content each time. */
const make = (): Record<string, unknown> => ({
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  session: { strategy: "jwt", maxAge: 60 },
  theme: { brandName: "One" },
  callbacks: { jwt: ({ token }: { token: object }) => token },
  events: {},
  providers: [
    { id: "door", name: "Door", type: "credentials", credentials: { a: {} }, authorize },
    {
      id: "op",
      name: "OP",
      type: "oauth",
      clientId: "id",
      clientSecret: "a client secret",
      authorization: { url: "https://op.example.com/a", params: { scope: "x" } },
      token: "https://op.example.com/t",
      userinfo: "https://op.example.com/u",
      profile: authorize,
      [mark]: authorize,
    },
  ],
});

const assume = (config: Record<string, unknown>): AuthConfig => config as unknown as AuthConfig;

function counting(env: Record<string, string | undefined> = {}) {
  const reuse = createReuse();
  let resolved = 0;
  const resolve = (config: Record<string, unknown>) =>
    reuse(assume(config), env, (given) => {
      resolved += 1;
      return resolveConfig(assume(config), given, standardParts, { defaultBasePath: "/auth" }).config;
    });
  return { resolve, env, resolved: () => resolved };
}

/** Every object literal and list within a value, the value first. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const key of Reflect.ownKeys(value)) yield* objectsIn(Reflect.get(value, key));
}

describe("createReuse()", () => {
  it("resolves one content once, and gives the same object with the same functions", () => {
    const { resolve, resolved } = counting();
    const callbacks = { jwt: ({ token }: { token: object }) => token };
    expect(resolve({ ...make(), callbacks })).toBe(resolve({ ...make(), callbacks: { ...callbacks } }));
    expect(resolved()).toBe(1);
  });

  it("rule 1: whatever member of whatever object is added, changed or removed, it resolves again", () => {
    const places = [...objectsIn(make())].length;
    const change = fc.constantFrom("add", "change", "remove", "list", "symbol");
    fc.assert(
      fc.property(fc.nat({ max: places - 1 }), fc.nat(), change, (place, at, kind) => {
        const reuse = createReuse();
        const seen: unknown[] = [];
        const ask = (config: Record<string, unknown>) =>
          reuse(assume(config), {}, () => {
            seen.push(config);
            return resolveConfig(assume(make()), {}, standardParts, { defaultBasePath: "/auth" }).config;
          });
        ask(make());
        const changed = make();
        const target = [...objectsIn(changed)][place] ?? changed;
        const keys = Reflect.ownKeys(target).filter((key) => key !== "length");
        const key = keys[at % Math.max(1, keys.length)] ?? "added";
        const isEmpty = keys.length === 0;
        if (kind === "add") Reflect.set(target, "added", 1);
        else if (kind === "symbol") Reflect.set(target, Symbol("added"), 1);
        else if (kind === "list") Reflect.set(target, key, [Reflect.get(target, key)]);
        // Resolving refuses these unless they are objects.
        else if (kind === "change" && target === changed && key === "callbacks") Reflect.set(target, key, { changed });
        else if (kind === "change" || isEmpty) Reflect.set(target, key, "changed");
        else Reflect.deleteProperty(target, key);
        ask(changed);
        expect(seen).toHaveLength(2);
        // What it was before is still known.
        ask(make());
        expect(seen).toHaveLength(2);
      }),
      { numRuns: 300 },
    );
  });

  it("rule 1: sees what the application changes in an object that it keeps", () => {
    const { resolve, resolved } = counting();
    const theme = { brandName: "One" };
    expect(resolve({ ...make(), theme }).theme.brandName).toBe("One");
    theme.brandName = "Two";
    expect(resolve({ ...make(), theme }).theme.brandName).toBe("Two");
    expect(resolved()).toBe(2);
  });

  it("rule 1: a new function of a provider or an adapter is another configuration", () => {
    const { resolve, resolved } = counting();
    const withAuthorize = (own: () => null) => ({
      ...make(),
      providers: [{ id: "door", name: "Door", type: "credentials", credentials: {}, authorize: own }],
    });
    resolve(withAuthorize(() => null));
    resolve(withAuthorize(() => null));
    expect(resolved()).toBe(2);
    const reuse = createReuse();
    let asked = 0;
    const ask = (own: object) =>
      reuse(assume({ ...make(), adapter: own }), {}, () => {
        asked += 1;
        return resolveConfig(assume(make()), {}, standardParts, { defaultBasePath: "/auth" }).config;
      });
    ask(adapter);
    ask({ ...adapter });
    ask({ createUser: () => null });
    expect(asked).toBe(2);
  });

  it("rule 2: calls the functions of this request", () => {
    const { resolve, resolved } = counting();
    const jwts = [0, 1].map(() => ({ jwt: ({ token }: { token: object }) => token }));
    for (const callbacks of jwts) expect(resolve({ ...make(), callbacks }).callbacks.jwt).toBe(callbacks.jwt);
    const said = { error: () => undefined };
    resolve({ ...make(), logger: { error: () => undefined } });
    expect(resolve({ ...make(), logger: said }).logger.error).toBe(said.error);
    // With a logger where there was none, and with a function where there was none.
    expect(resolved()).toBe(2);
    expect(() => resolve({ ...make(), callbacks: { jwt: "no function" } })).toThrow("callbacks.jwt");
  });

  it("rule 3: reads the environment again", () => {
    const { resolve, resolved, env } = counting({});
    resolve(make());
    Object.assign(env, { AUTH_UNKNOWN_TO_ALL: "x" });
    resolve(make());
    expect(resolved()).toBe(1);
    Object.assign(env, { AUTH_OP_SECRET: "a client secret" });
    resolve(make());
    expect(resolved()).toBe(2);
  });

  it("knows some configurations of one secret at the same time, and no more", () => {
    const { resolve, resolved } = counting();
    const tenant = (n: number) => ({ ...make(), theme: { brandName: `Tenant ${n}` } });
    for (const n of [1, 2, 3, 1, 2, 3]) expect(resolve(tenant(n)).theme.brandName).toBe(`Tenant ${n}`);
    expect(resolved()).toBe(3);
    for (let n = 4; n < 40; n += 1) resolve(tenant(n));
    resolve(tenant(1));
    expect(resolved()).toBe(40);
  });

  it("knows the configurations of many tenants with secrets of their own", () => {
    const { resolve, resolved } = counting();
    const tenant = (n: number) => ({ ...make(), secret: `the secret of tenant ${n}, of more than thirty-two bytes` });
    for (let round = 0; round < 2; round++) for (let n = 0; n < 100; n++) resolve(tenant(n));
    expect(resolved()).toBe(100);
  });

  it("remembers as many tenants as `maxTenants` says, and drops the one that was used longest ago", () => {
    const reuse = createReuse();
    const resolve = (maxTenants: number, n: number) =>
      // A cast: nothing else of a configuration matters here.
      reuse(assume({ secret: `${n}`, maxTenants }), {}, () => ({ secrets: [`${n}`] }) as unknown as ResolvedConfig);
    const known = Array.from({ length: 2_100 }, (_, n) => resolve(2_100, n));
    expect(known.every((config, n) => resolve(2_100, n) === config)).toBe(true);
    resolve(2_100, 2_100);
    expect(resolve(2_100, 1)).toBe(known[1]);
    expect(resolve(2_100, 0)).not.toBe(known[0]);
    expect(resolve(2_100, 0).application).not.toBe(known[0]?.application);
  });

  it("takes an object that contains itself for another one each time", () => {
    const reuse = createReuse();
    let asked = 0;
    for (let n = 0; n < 2; n += 1) {
      const config = make();
      config.theme = config;
      reuse(assume(config), {}, () => {
        asked += 1;
        return resolveConfig(assume(make()), {}, standardParts, { defaultBasePath: "/auth" }).config;
      });
    }
    expect(asked).toBe(2);
  });

  it("does not keep what could not be resolved", () => {
    const reuse = createReuse();
    const fail = () => {
      throw new Error("no");
    };
    for (let n = 0; n < 2; n += 1) expect(() => reuse(assume(make()), {}, fail)).toThrow("no");
  });
});
