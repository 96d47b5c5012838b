import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";

export default {
  plugins: [sveltekit({ adapter: adapter({ out: "dist" }) })],
  // Linked from this repository, the package under test would bring the SvelteKit of its own development.
  resolve: { dedupe: ["@sveltejs/kit"] },
  logLevel: "warn",
};
