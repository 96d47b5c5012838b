/** Options by which other libraries limit who may sign in, by the words of their names, and what takes their place here. */
const LIMITS: readonly { readonly words: readonly string[]; readonly instead: string }[] = [
  {
    // `tenantId` of NextAuth v4, `authority` of MSAL, `realm` of keycloak-js, `userPoolId` of Cognito, `tenant` of Dex,
    // `domain` of Auth0 and Okta, `subdomain` of Grant, `enterprise` and base URLs of self-hosted servers.
    words: [
      ...["tenant", "directory", "realm", "user_pool", "authority", "subdomain", "enterprise", "domain"],
      ...["base_url", "server_url", "instance_url", "org_url", "login_url"],
    ],
    instead: "`issuer` for the tenant, realm or server (its `AUTH_…_ISSUER` variable does the same)",
  },
  {
    // `hd` and `hostedDomain` of passport-google-oauth20, `hosted_domain` of Grafana, `hostedDomains` of Dex.
    words: ["hd", "domain"],
    instead:
      "a check of the domain in `callbacks.signIn`, beside `authorization: { params: { hd } }` where the provider has that parameter",
  },
  {
    // `organization` and `connection` of nuxt-auth-utils and passport-auth0, `team` of passport-slack, `orgs`, `teams` and
    // `groups` of Dex, `github-org`, `github-team` and `google-group` of OAuth2 Proxy, guilds of Discord.
    words: ["organization", "organisation", "org", "team", "workspace", "guild", "group", "role", "connection"],
    instead:
      "a check of the profile in `callbacks.signIn`, beside `authorization: { params }` where the provider has such a parameter",
  },
  {
    // `allowed_domains` and `allowed_organizations` of Grafana, `WHITELISTED_EMAILS` of python-social-auth, `disableSignUp` of
    // better-auth, `allow_sign_up` of Grafana.
    words: [
      ...["allow", "allowed", "allowlist", "whitelist", "whitelisted", "permitted", "restrict", "restricted"],
      ...["deny", "denied", "denylist", "block", "blocked", "blocklist", "blacklist", "banned", "sign_up"],
      ...["signup", "disable_registration"],
    ],
    instead: "a check in `callbacks.signIn`",
  },
];

/** Widens who may sign in, and is read by core. */
const READ_BY_CORE: readonly string[] = ["allowDangerousEmailAccountLinking"];

/**
 * Returns the options of a provider function, which become members of its provider object. An option with a name that limits
 * who may sign in elsewhere must not be ignored: everyone could sign in.
 *
 * @param provider The function's name, for the error.
 * @param options What the application passed, without the options that the function itself reads.
 * @param read Further options that the function or core reads.
 * @throws TypeError naming the options that would have no effect, and what takes their place; never a value.
 */
export function providerOptions<Options extends object>(
  provider: string,
  options: Options,
  read: readonly (keyof Options & string)[] = [],
): Options {
  const known: readonly string[] = [...READ_BY_CORE, ...read];
  const limits = Object.entries(options).flatMap(([name, value]) => {
    const instead = value === undefined || value === null || known.includes(name) ? [] : insteadOf(name);
    return instead.length === 0 ? [] : [`\`${name}\` has no effect; use ${instead.join("; or ")}`];
  });
  if (limits.length > 0)
    throw new TypeError(`${provider}() does not read an option that limits who may sign in. ${limits.join(". ")}.`);
  return options;
}

/** What takes the place of an option; empty for a name that does not limit who may sign in. */
function insteadOf(name: string): readonly string[] {
  const words = wordsOf(name);
  return LIMITS.filter((limit) => words.some((word) => limit.words.includes(word))).map(({ instead }) => instead);
}

/** The words of `hostedDomain`, `hosted_domains` or `HostedDomainID`, in lower case and singular, and each pair of them. */
function wordsOf(name: string): readonly string[] {
  const parts = name
    .replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2_")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const words = parts.map((word) => word.replace(/s$/, ""));
  return [...words, ...words.slice(1).map((word, index) => `${words[index]}_${word}`)];
}
