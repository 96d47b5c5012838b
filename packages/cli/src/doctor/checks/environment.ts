import { isLoopbackHost } from "@cardea/core/providers";
import { valueNamed } from "../../adopt/object-literals.ts";
import { parseUrl } from "../../parse-url.ts";
import { type Check, type Facts, placeOf } from "../facts.ts";

/** Minimum length of a secret; 32 random bytes have 43 characters in base64url. */
const SECRET_LENGTH = 32;

const PLACEHOLDER =
  /^(?:(?:my|your|a)?[-_ ]?(?:auth[-_ ]?)?secret(?:[-_ ]?(?:key|here))?|change[-_ ]?me|todo|test|password|x+|(.)\1+)$/i;

/** The accepted secrets by name: the current one first. Sessions can be forged with any of them. */
const secretsOf = ({ env }: Facts): readonly (readonly [name: string, secret: string])[] => {
  const current = env.AUTH_SECRET ? "AUTH_SECRET" : "NEXTAUTH_SECRET";
  return [current, "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"].flatMap((name) => {
    const secret = env[name];
    return secret ? [[name, secret] as const] : [];
  });
};

const replaceSecret = (name: string) =>
  /\d$/.test(name)
    ? "Remove the line: sessions can be forged with a previous secret, too."
    : "Use 32 random bytes: `npx @cardea/cli secret`.";

const urlOf = ({ env }: Facts): URL | null => parseUrl(env.AUTH_URL ?? "");

const option = ({ configurations }: Facts, name: string) =>
  configurations.flatMap(({ literals }) => literals.flatMap((literal) => valueNamed(literal, name) ?? []));

const one = (where: string, what: string, remedy: string) => [{ where, what, remedy }];

/** Checks of environment variables. */
export const environmentChecks: Readonly<Record<string, Check>> = {
  "secret-missing": (facts) =>
    facts.isProduction && !facts.env.AUTH_SECRET && !facts.env.NEXTAUTH_SECRET && option(facts, "secret").length === 0
      ? one("AUTH_SECRET", "is not set", "Run `npx @cardea/cli secret` and set the variable in the deployment.")
      : [],
  "secret-short": (facts) =>
    secretsOf(facts)
      .filter(([, secret]) => secret.length < SECRET_LENGTH && !PLACEHOLDER.test(secret))
      .flatMap(([name, { length }]) => one(name, `has only ${length} characters`, replaceSecret(name))),
  "secret-placeholder": (facts) =>
    secretsOf(facts)
      .filter(([, secret]) => PLACEHOLDER.test(secret))
      .flatMap(([name]) => one(name, "is a placeholder", replaceSecret(name))),
  "secret-repeated": ({ env }) =>
    ["AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"]
      .filter((name) => env[name] && env[name] === env.AUTH_SECRET)
      .flatMap((name) =>
        one(name, "is the same as AUTH_SECRET", "Numbered secrets are for previous secrets. Remove the line."),
      ),
  "secret-order": ({ env }) =>
    !env.AUTH_SECRET && !env.NEXTAUTH_SECRET && (env.AUTH_SECRET_1 || env.AUTH_SECRET_2 || env.AUTH_SECRET_3)
      ? one(
          "AUTH_SECRET",
          "is not set, but a numbered secret is",
          "Rename the newest secret to AUTH_SECRET, which is used for encryption.",
        )
      : [],
  "secret-in-source": (facts) =>
    option(facts, "secret").flatMap((node) =>
      node.getKindName() === "StringLiteral"
        ? one(
            placeOf(node),
            "contains the secret in source code",
            "Read the secret from AUTH_SECRET, and replace it, because everyone with access to the code knows it.",
          )
        : [],
    ),
  "secret-tracked": ({ files, tracked }) =>
    [...files]
      .filter(
        ([path, text]) =>
          tracked.has(path) &&
          /\/\.env(?:\.(?!example|sample|template)[\w.]+)?$/.test(path) &&
          /^AUTH_SECRET(?:_\d)?=\S/m.test(text),
      )
      .flatMap(([path]) =>
        one(
          path.slice(1),
          "contains the secret and is tracked by git",
          "Remove the file from git (`git rm --cached`), and replace the secret.",
        ),
      ),
  "secret-public": ({ env }) =>
    Object.keys(env)
      .filter((name) => /^(?:NEXT_PUBLIC|VITE|PUBLIC)_.*(?:SECRET|AUTH_.*KEY)$/.test(name))
      .flatMap((name) => one(name, "is exposed to browsers", "Remove the prefix, and replace the secret.")),
  "url-missing": (facts) =>
    facts.isProduction &&
    !facts.env.AUTH_URL &&
    !facts.env.NEXTAUTH_URL &&
    !facts.env.AUTH_TRUST_HOST &&
    !facts.env.VERCEL &&
    !facts.env.CF_PAGES &&
    option(facts, "trustHost").length === 0
      ? one(
          "AUTH_URL",
          "is not set, and no host is trusted",
          "Set AUTH_URL to the public origin, such as https://app.example.com.",
        )
      : [],
  "url-invalid": (facts) =>
    facts.env.AUTH_URL && urlOf(facts) === null
      ? one("AUTH_URL", `"${facts.env.AUTH_URL}" is not a URL`, "Include the scheme: https://app.example.com.")
      : [],
  "url-http": (facts) => {
    const url = urlOf(facts);
    return facts.isProduction && url?.protocol === "http:" && !isLoopbackHost(url.hostname)
      ? one("AUTH_URL", "uses http", "Use https; otherwise session cookies are sent unencrypted.")
      : [];
  },
  "url-loopback": (facts) => {
    const url = urlOf(facts);
    return facts.isProduction && url !== null && isLoopbackHost(url.hostname) && facts.probe === undefined
      ? one("AUTH_URL", `points to localhost (${url.host}) in production`, "Set it to the public origin.")
      : [];
  },
  "url-path": (facts) => {
    const path = urlOf(facts)?.pathname.replace(/\/$/, "") ?? "";
    const [base] = option(facts, "basePath");
    const configured = base?.getText().replace(/^["'`]|["'`]$/g, "");
    return path !== "" && configured !== undefined && configured !== path
      ? one(
          "AUTH_URL",
          `has the path ${path}, but \`basePath\` is ${configured}`,
          "Remove the path from AUTH_URL, or use the same path.",
        )
      : [];
  },
  "trust-host-value": ({ env: { AUTH_TRUST_HOST: value } }) =>
    value && !/^(?:true|false|1|0)$/i.test(value) ? one("AUTH_TRUST_HOST", `is "${value}"`, "Use true or false.") : [],
  "value-blanks": ({ env }) =>
    Object.entries(env)
      .filter(
        ([name, value]) =>
          name.startsWith("AUTH_") && value !== undefined && (value !== value.trim() || /^(["']).*\1$/.test(value)),
      )
      .flatMap(([name]) =>
        one(name, "has whitespace or quotes around its value", "Remove them; they are taken as part of the value."),
      ),
  "former-names": ({ env }) =>
    ["NEXTAUTH_SECRET", "NEXTAUTH_URL"]
      .filter((name) => env[name])
      .flatMap((name) => one(name, "is a former name", `Rename it to ${name.slice("NEXT".length)}.`)),
  "auth0-issuer": ({ env: { AUTH_AUTH0_ISSUER: issuer } }) =>
    issuer && !issuer.endsWith("/")
      ? one(
          "AUTH_AUTH0_ISSUER",
          "does not end with a slash",
          "Use https://tenant.auth0.com/ with the slash: issuers are compared exactly.",
        )
      : [],
};
