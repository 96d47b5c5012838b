import { bindingContract } from "@cardea/testing/binding-contract";
import { afterAll, describe, expect, it } from "vitest";
import { startNextApp } from "./next-start.ts";

describe("@cardea/next on Next.js 16", () => {
  bindingContract(
    { describe, it, expect, afterAll },
    {
      start: async (env) => {
        const { url, output, end } = await startNextApp(env);
        return { origin: url, output, stop: end };
      },
      basePath: "/journeys/auth",
      prefix: "/journeys",
      lacks: {
        methods: "Next.js makes a Request before it calls the application",
        hosts: "Next.js passes on the first Host line",
      },
    },
  );
});
