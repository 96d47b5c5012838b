/** What the bundler of SvelteKit makes. */
export const env = process.env;
export const building = false;
export const base = "";
export const dev = false;
