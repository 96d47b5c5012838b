// What users ask, in the search of the site: the guide that answers it comes first. The index is the one of the site.
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { miniSearch, sectionsOf } from "../../docs/.vitepress/search.mjs";

const root = join(import.meta.dirname, "../..");
const docs = join(root, "docs");
/** The version that VitePress uses. */
const MiniSearch = createRequire(join(realpathSync(join(docs, "node_modules/vitepress")), "package.json"))(
  "minisearch",
);

/** For each public name a page, as the reference of the site has; its real pages take a build. */
function* referencePages() {
  let count = 0;
  const packages = readdirSync(join(root, "packages"));
  for (const name of packages) {
    const reports = readdirSync(join(root, "packages", name, "api")).filter((file) => file.endsWith(".api.md"));
    for (const report of reports) {
      const text = readFileSync(join(root, "packages", name, "api", report), "utf8");
      for (const [body, kind, own] of text.matchAll(/^export (?:declare )?(\w+) (\w+)[\s\S]*?(?=^export |^```)/gm))
        yield [`/api/${name}/${own}-${++count}.html`, `# ${kind}: ${own}\n\n${body}\n\n## Properties\n\n${body}`];
    }
  }
}

const guides = readdirSync(docs)
  .filter((file) => file.endsWith(".md"))
  .map((file) => [`/${file.replace(/\.md$/, ".html")}`, readFileSync(join(docs, file), "utf8")]);

function createIndex(options) {
  const index = new MiniSearch({ fields: ["title", "titles", "text"], storeFields: ["title", "titles"], ...options });
  for (const [path, text] of [...guides, ...referencePages()])
    for (const { anchor, titles, text: content } of sectionsOf(text))
      index.add({ id: `${path}#${anchor}`, title: titles.at(-1), titles: titles.slice(0, -1), text: content });
  return index;
}

const index = createIndex(miniSearch.options);
const pageOf = (id) => /^\/(.+)\.html/.exec(id)?.[1];
const search = (question) => index.search(question, miniSearch.searchOptions).map(({ id }) => pageOf(id));

/** question → the pages of which one answers it. */
const QUESTIONS = {
  "how do I get the user id in the session": "user-id",
  "session.user.id undefined": "user-id",
  "add user id to session typescript": "user-id",
  "delete account": "delete-user",
  "delete user": "delete-user",
  "gdpr remove a user and all data": "delete-user",
  "change email address": "change-address",
  "update user email": "change-address",
  "unlink account": "accounts account",
  "connect a second provider to the same user": "accounts oauth",
  "list linked accounts": "accounts",
  roles: "roles",
  "role based access control": "roles",
  "admin only page": "roles",
  "trpc context session": "apis",
  "graphql apollo auth": "apis",
  "websocket authentication": "apis",
  "react native": "mobile",
  "mobile app login": "mobile",
  "expo deep link redirect": "mobile",
  "next-auth getServerSession": "from-nextauth",
  "migrate from auth.js": "from-authjs",
  cacheComponents: "next",
  "next.js middleware protect routes": "next getting-started-next",
  "prisma sqlite": "sqlite",
  "drizzle sqlite": "sqlite",
  "resend magic link": "mail-services",
  postmark: "mail-services",
  "amazon ses": "mail-services",
  "send email with nodemailer": "email",
  "production checklist": "production deployment",
  "deploy behind nginx proxy": "deployment",
  "rotate AUTH_SECRET": "deployment",
  "sign out everywhere": "sign-out-everywhere session-control",
  "log out all devices": "session-control",
  "rate limit login attempts": "attempts",
  "two factor authentication totp": "second-factor",
  passkeys: "passkeys",
  "forgot password reset": "passwords",
  "custom login page": "pages",
  "google refresh token": "provider-tokens",
  "call github api with access token": "provider-tokens",
  "playwright test logged in user": "testing",
  useSession: "client",
  "session expires after how long": "sessions",
  "custom oauth provider": "writing-a-provider oauth",
  "cloudflare workers": "getting-started-fetch",
  "express middleware": "express",
  OAuthAccountNotLinked: "errors oauth",
  "share session across subdomains": "cookies",
};

describe("the search of the site", () => {
  it.each(Object.entries(QUESTIONS))("%s → %s", (question, pages) => {
    expect(pages.split(" ")).toContain(search(question)[0]);
  });

  it("finds without these options something else for many of them", () => {
    const plain = createIndex({});
    const options = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } };
    const wrong = Object.entries(QUESTIONS).filter(
      ([question, pages]) => !pages.split(" ").includes(pageOf(plain.search(question, options)[0]?.id ?? "")),
    );
    expect(wrong.length).toBeGreaterThan(10);
  });
});
