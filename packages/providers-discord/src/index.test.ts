import { describe, expect, it } from "vitest";
import { Discord } from "./index.ts";

describe("the image", () => {
  const ada = { id: "80351110224678912", username: "ada", global_name: null };
  const imageOf = async (avatar: string | null, discriminator: string) =>
    Object(await Discord().profile?.({ ...ada, avatar, discriminator }, {})).image;

  it("moves where the avatar does", async () => {
    expect(await imageOf("a_1", "0")).toBe("https://cdn.discordapp.com/avatars/80351110224678912/a_1.gif");
  });

  it.each([
    ["0", 5],
    ["1337", 2],
  ])("is Discord's own without an avatar, by id or discriminator %s", async (discriminator, index) => {
    expect(await imageOf(null, discriminator)).toBe(`https://cdn.discordapp.com/embed/avatars/${index}.png`);
  });
});
