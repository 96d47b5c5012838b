import type { Adapter } from "@cardea/core/adapters";
import { expect, it } from "vitest";

const SPELLINGS = [
  (address: string) => address,
  (address: string) => address.toUpperCase(),
  (address: string) => address.replace(/^./, (letter) => letter.toUpperCase()),
  (address: string) => address.replace(/@.*/, (domain) => domain.toUpperCase()),
];

/** Tests of our own adapters: whatever the collation of a database, a user is found in every spelling of their address. Test-only. */
export function testAddressSpellings(adapterOf: () => Adapter): void {
  const unique = () => `ann_b%${crypto.randomUUID().slice(0, 8)}@example.com`;
  const create = async (email: string) => {
    const user = await adapterOf().createUser?.({ id: crypto.randomUUID(), email, emailVerified: null });
    return String(user?.id);
  };

  it("finds a user in every spelling of their address", async () => {
    for (const stored of SPELLINGS) {
      const address = unique();
      const id = await create(stored(address));
      for (const asked of SPELLINGS) {
        const found = await adapterOf().getUserByEmail?.(asked(address));
        expect({ asked: asked(address), id: found?.id, email: found?.email }).toEqual({
          asked: asked(address),
          id,
          email: stored(address),
        });
      }
      for (const other of [address.replace("_", "x"), address.replace("%", "xx"), address.replace("ann", "anñ")])
        expect(await adapterOf().getUserByEmail?.(other.toUpperCase())).toBeNull();
    }
  });

  it("names users whose addresses differ in case alone, where the database can store them", async () => {
    const address = unique();
    const [capital, upper] = [address.replace("ann", "Ann"), address.replace("ann", "ANN")];
    const ids = [await create(capital), await create(upper).catch(() => null)];
    expect(await adapterOf().getUserByEmail?.(capital)).toMatchObject({ id: ids[0], email: capital });
    if (ids[1] === null) return;
    expect(await adapterOf().getUserByEmail?.(upper)).toMatchObject({ id: ids[1], email: upper });
    const refusal = await Promise.resolve(adapterOf().getUserByEmail?.(address)).catch((error: unknown) =>
      String(error),
    );
    for (const id of ids) expect(refusal).toContain(`"${id}"`);
    expect(refusal).not.toContain(address);
  });
}
