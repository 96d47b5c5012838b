import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageNames, readJson } from "../../tools/source-files.mjs";
import { repository } from "./resolve-link.mjs";

const root = join(import.meta.dirname, "../..");

const { version } = readJson(root, "packages/core/package.json");
export const isReleased = version !== "0.0.0";

export const nav = [
  { text: "Guide", link: "/getting-started" },
  { text: "Configuration", link: "/configuration" },
  { text: "Errors", link: "/errors" },
  { text: "API", link: "/api/" },
  {
    text: isReleased ? `v${version}` : "Pre-release",
    items: [
      { text: "Guarantees", link: "/promises" },
      { text: "Review before the first release", link: "/review" },
      ...(isReleased ? [{ text: "Changes", link: `${repository}/blob/main/packages/core/CHANGELOG.md` }] : []),
    ],
  },
];

const names = packageNames(root);
const isProvider = (name) => name.startsWith("providers-");

const page = (text, link) => ({ text, link: `/${link}` });
const decisions = readdirSync(join(root, "decisions")).filter((file) => file.endsWith(".md"));
/** `# 001 Title` → `Title`; the menu knows no code. */
const titleOf = (file) => /^# (?:\d+ )?(.*)/.exec(readFileSync(join(root, "decisions", file), "utf8"))?.[1] ?? file;
const decisionPage = (file) => page(titleOf(file).replaceAll("`", ""), `decisions/${file.replace(/\.md$/, "")}`);
const packagePage = (name) => page(name.replace(/^providers-/, ""), `packages/${name}`);

export const sidebar = [
  {
    text: "Start",
    items: [
      page("Getting started: Express", "getting-started"),
      page("Next.js", "getting-started-next"),
      page("Any fetch server", "getting-started-fetch"),
      page("With a coding agent", "agents"),
      page("How it compares", "comparison"),
    ],
  },
  {
    text: "Frameworks",
    items: [
      page("Frameworks and runtimes", "frameworks"),
      page("Express", "express"),
      page("Next.js", "next"),
      page("Hono", "hono"),
      page("Fastify", "fastify"),
      page("SvelteKit", "sveltekit"),
      page("Nuxt, Nitro and h3", "h3"),
      page("In the browser", "client"),
      page("Single-page applications", "single-page-applications"),
    ],
  },
  {
    text: "Ways to sign in",
    items: [
      page("OAuth and OpenID Connect", "oauth"),
      page("Provider packages", "providers"),
      page("Links by e-mail", "email"),
      page("Passwords", "passwords"),
      page("Other credentials", "credentials"),
      page("Passkeys", "passkeys"),
      page("Your own pages", "pages"),
    ],
  },
  {
    text: "Guide",
    items: [
      page("Sessions", "sessions"),
      page("Callbacks and events", "callbacks"),
      page("Security model", "security"),
      page("Several processes, and growing", "scale"),
      page("Testing your application", "testing"),
      page("Test tools", "testing-tools"),
      page("Writing a provider", "writing-a-provider"),
      page("Writing an adapter", "writing-an-adapter"),
    ],
  },
  {
    text: "I want to …",
    items: [
      page("Read the user id", "user-id"),
      page("Give users roles", "roles"),
      page("List and unlink accounts", "accounts"),
      page("Change an e-mail address", "change-address"),
      page("Delete a user", "delete-user"),
      page("Use tRPC, GraphQL, WebSocket", "apis"),
      page("Sign in to a mobile application", "mobile"),
      page("Send mail: Resend, Postmark, SES", "mail-services"),
      page("Start with SQLite", "sqlite"),
      page("Go to production (deployment)", "deployment"),
    ],
  },
  {
    text: "Databases and stores",
    items: [
      page("Databases", "database"),
      page("Prisma", "prisma"),
      page("Drizzle", "drizzle"),
      page("Kysely", "kysely"),
      page("Stores", "stores"),
    ],
  },
  {
    text: "Extensions",
    items: [
      page("Writing extensions", "extensions"),
      page("Account page", "account"),
      page("Listing and ending sessions", "session-control"),
      page("Limits of sign-in attempts", "attempts"),
      page("Second factors", "second-factor"),
      page("Recent proof before actions", "step-up"),
      page("Call the provider's API", "provider-tokens"),
      page("Sign out everywhere", "sign-out-everywhere"),
    ],
  },
  {
    text: "Moving here",
    items: [
      page("From Auth.js v5", "from-authjs"),
      page("From NextAuth v4", "from-nextauth"),
      page("Sessions of Auth.js", "bridge"),
      page("Command line", "cli"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("Configuration", "configuration"),
      page("Environment variables", "environment"),
      page("Behaviour", "behaviour"),
      page("OWASP ASVS", "asvs"),
      page("Cookies", "cookies"),
      page("Errors", "errors"),
      page("Warnings", "warnings"),
      page("Guarantees", "promises"),
      page("Review before the first release", "review"),
      page("Benchmarks", "benchmarks"),
      page("API, from the doc comments", "api/"),
    ],
  },
  {
    text: "Contributing",
    collapsed: true,
    items: [
      page("A tour of core", "tour"),
      page("Tests", "contributing/tests"),
      page("Conventions", "contributing/conventions"),
      page("Adding a provider", "contributing/providers"),
      page("Releases", "contributing/releases"),
    ],
  },
  { text: "Packages", collapsed: true, items: names.filter((name) => !isProvider(name)).map(packagePage) },
  { text: "Providers", collapsed: true, items: names.filter(isProvider).map(packagePage) },
  { text: "Decisions", collapsed: true, items: decisions.map(decisionPage) },
];
