import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.ts";
import { dpopKeyOf } from "./dpop-key.ts";

const [OLD, NEW, OTHER] = [
  "an old secret of 32 bytes or more",
  "a new secret of 32 bytes or more",
  "some other secret of 32 bytes",
];
const provider = { id: "op", clientId: "app" };

/** The public key that a process with these secrets proves. */
async function provenBy(store: ReturnType<typeof memoryStore>, ...secrets: string[]): Promise<string | undefined> {
  const { publicKey } = await dpopKeyOf({ application: {}, secrets, store }, provider);
  return (await crypto.subtle.exportKey("jwk", publicKey)).x;
}

describe("the DPoP key of a provider", () => {
  it("stays the same while a new secret is rolled out, whichever process starts, and when the old one is dropped", async () => {
    const store = memoryStore();
    const first = await provenBy(store, OLD);
    expect(await provenBy(store, NEW, OLD)).toBe(first);
    expect(await provenBy(store, OLD)).toBe(first);
    expect(await provenBy(store, OLD, NEW)).toBe(first);
    expect(await provenBy(store, NEW, OLD)).toBe(first);
    expect(await provenBy(store, NEW)).toBe(first);
  });

  it("is never replaced by a process that cannot read it", async () => {
    const store = memoryStore();
    const first = await provenBy(store, OLD);
    expect(await provenBy(store, OTHER)).not.toBe(first);
    expect(await provenBy(store, OLD)).toBe(first);
  });

  it("is one, however many processes make it at once, also under two secrets", async () => {
    const store = memoryStore();
    const keys = await Promise.all(Array.from({ length: 20 }, () => provenBy(store, OLD)));
    expect(new Set(keys).size).toBe(1);
    const copies = await Promise.all(Array.from({ length: 20 }, () => provenBy(store, NEW, OLD)));
    expect(new Set([...keys, ...copies]).size).toBe(1);
  });

  it("belongs to one provider and client", async () => {
    const store = memoryStore();
    const first = await provenBy(store, OLD);
    const other = await dpopKeyOf({ application: {}, secrets: [OLD], store }, { ...provider, clientId: "another" });
    expect((await crypto.subtle.exportKey("jwk", other.publicKey)).x).not.toBe(first);
  });
});
