// What the packages are called where someone searches: the service each provider package signs in with, and further words.

/**
 * One row for each package `@cardea/providers-…`: its folder's ending, the function it exports, the service's name as its owner
 * writes it, and words that someone may search for. `head: false`: its README begins in its own way; `oauth: false`: it shares
 * nothing with the READMEs of the others.
 */
export const providers = {
  apple: { service: "Apple", keywords: ["sign in with apple"], head: false },
  atlassian: { service: "Atlassian", keywords: ["jira", "confluence"] },
  auth0: { service: "Auth0" },
  authentik: { service: "authentik", export: "Authentik" },
  bitbucket: { service: "Bitbucket" },
  cognito: { service: "Cognito", keywords: ["amazon cognito", "aws"] },
  credentials: { service: "a user name and password", keywords: ["credentials", "password", "login"], oauth: false },
  discord: { service: "Discord" },
  dropbox: { service: "Dropbox" },
  email: {
    service: "a link in an e-mail",
    keywords: ["nodemailer", "smtp", "email", "magic link", "passwordless"],
    oauth: false,
  },
  facebook: { service: "Facebook", keywords: ["meta"] },
  fusionauth: { service: "FusionAuth" },
  github: { service: "GitHub", keywords: ["github enterprise"] },
  gitlab: { service: "GitLab" },
  google: { service: "Google", keywords: ["google workspace", "gmail"] },
  kakao: { service: "Kakao", keywords: ["kakaotalk"] },
  keycloak: { service: "Keycloak" },
  line: { service: "LINE" },
  linkedin: { service: "LinkedIn", export: "LinkedIn" },
  "microsoft-entra-id": {
    service: "Microsoft Entra ID",
    export: "MicrosoftEntraID",
    keywords: ["azure ad", "azure active directory", "microsoft 365"],
  },
  naver: { service: "NAVER", export: "Naver" },
  notion: { service: "Notion" },
  oauth2: { service: "any OAuth 2 provider", keywords: ["oauth2"], head: false },
  oidc: { service: "any OpenID Connect provider", export: "OIDC", keywords: ["oidc", "single sign-on", "sso"] },
  okta: { service: "Okta" },
  password: {
    service: "an e-mail address and a password",
    keywords: ["password", "login", "reset password", "scrypt", "argon2", "bcrypt"],
    oauth: false,
  },
  reddit: { service: "Reddit" },
  salesforce: { service: "Salesforce" },
  shortvideo: { service: "TikTok", keywords: ["tiktok"], head: false },
  slack: { service: "Slack" },
  social: { service: "VK", keywords: ["vk", "vk id", "vkontakte"], head: false },
  spotify: { service: "Spotify" },
  twitch: { service: "Twitch" },
  webauthn: { service: "passkeys", keywords: ["passkeys", "webauthn", "fido2", "security keys"], oauth: false },
  workos: { service: "WorkOS" },
  x: { service: "X", keywords: ["twitter"] },
  yandex: { service: "Yandex" },
  zitadel: { service: "ZITADEL" },
  zoom: { service: "Zoom" },
};

/** Words for the other packages. Every package has `cardea`, `auth` and `authentication` as well. */
export const otherKeywords = {
  attempts: ["rate limit", "brute force", "login attempts", "redis", "security"],
  "adapter-drizzle": ["drizzle", "adapter", "database", "postgresql", "mysql", "sqlite"],
  "adapter-prisma": ["prisma", "adapter", "database", "postgresql", "mysql", "sqlite"],
  "bridge-authjs": ["auth.js", "next-auth", "migration", "session"],
  cli: ["cli", "codemod", "migration", "doctor", "next-auth", "auth.js"],
  client: ["react", "hooks", "session", "passkeys"],
  core: ["oauth", "openid connect", "session", "jwt", "fetch"],
  express: ["express", "middleware", "session"],
  fastify: ["fastify", "plugin", "session"],
  h3: ["h3", "nitro", "nuxt", "session"],
  hono: ["hono", "middleware", "session"],
  next: ["next", "nextjs", "react", "session"],
  sessions: ["sessions", "revocation", "sign out everywhere", "device list", "security"],
  "second-factor": ["two factor", "2fa", "mfa", "totp", "recovery codes", "security"],
  logout: ["logout", "single logout", "back-channel logout", "openid connect", "sign out"],
  "step-up": ["step-up", "re-authentication", "sudo mode", "rfc 9470", "security"],
  "store-redis": ["redis", "valkey", "ioredis", "store", "session", "rate limit"],
  sveltekit: ["sveltekit", "svelte", "session"],
  vault: ["access token", "refresh token", "token rotation", "google api", "oauth", "security"],
  testing: ["testing", "oidc provider", "mock"],
};
