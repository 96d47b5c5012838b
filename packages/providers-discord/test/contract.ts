import type { ProviderExpectations } from "@cardea/testing";
import { Discord } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Discord,
  id: "discord",
  name: "Discord",
  authorizationUrl: "https://discord.com/oauth2/authorize?scope=identify email",
  profile: {
    id: "80351110224678912",
    username: "ada",
    global_name: "Ada Lovelace",
    discriminator: "0",
    avatar: "8342729096ea3675442027381ff50dfe",
    email: "ada@example.com",
    verified: true,
  },
  user: {
    id: "80351110224678912",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
  },
  emailVerified: true,
};
