import { Node, SyntaxKind } from "ts-morph";
import { valueNamed } from "../../adopt/object-literals.ts";
import { majorOf, rangeOf } from "../../files/manifest.ts";
import { type Check, type Facts, placeOf } from "../facts.ts";

const hasAdapter = ({ configurations }: Facts): boolean =>
  configurations.some(({ literals }) => literals.some((literal) => valueNamed(literal, "adapter") !== undefined));

/** The Prisma schema, if the application has an adapter. */
function schemaOf(facts: Facts): { readonly path: string; readonly text: string } | undefined {
  const found = [...facts.files].find(([path, text]) => path.endsWith(".prisma") && /^model\s+User\b/m.test(text));
  return found === undefined || !hasAdapter(facts) ? undefined : { path: found[0].slice(1), text: found[1] };
}

function modelOf(text: string, name: string): string | undefined {
  return new RegExp(`^model\\s+${name}\\s*\\{([\\s\\S]*?)^\\}`, "m").exec(text)?.[1];
}

function inSchema(facts: Facts, test: (text: string) => string | undefined, remedy: string) {
  const schema = schemaOf(facts);
  const what = schema === undefined ? undefined : test(schema.text);
  return schema === undefined || what === undefined ? [] : [{ where: schema.path, what, remedy }];
}

/** The folder of the route, and its URL path. */
function routesOf({ files }: Facts): readonly { readonly path: string; readonly mount: string }[] {
  return [...files.keys()].flatMap((path) => {
    const [, mount] = /\/app(\/.*)\/\[\.\.\.\w+\]\/route\.[jt]sx?$/.exec(path) ?? [];
    return mount !== undefined && /\bhandlers\b/i.test(files.get(path) ?? "")
      ? [{ path: path.slice(1), mount: mount.replace(/\/\([^/]+\)/g, "") }]
      : [];
  });
}

/** Checks of routes, packages, deployment files and the database schema. */
export const projectChecks: Readonly<Record<string, Check>> = {
  "route-missing": (facts) =>
    rangeOf(facts.manifest, "@cardea/next") === undefined ||
    facts.configurations.length === 0 ||
    routesOf(facts).length > 0
      ? []
      : [
          {
            where: "app/api/auth/[...auth]/route.ts",
            what: "the route for the actions is missing",
            remedy: "Create it, with `export const { GET, POST } = handlers`.",
          },
        ],
  "base-path": (facts) =>
    routesOf(facts).flatMap(({ path, mount }) => {
      const configured = facts.configurations.flatMap(({ literals }) =>
        literals.flatMap((literal) => valueNamed(literal, "basePath") ?? []),
      )[0];
      const base = configured?.getText().replace(/^["'`]|["'`]$/g, "") ?? "/api/auth";
      return base === mount
        ? []
        : [
            {
              where: path,
              what: `the route is at ${mount}, but \`basePath\` is ${base}`,
              remedy: "Move the route, or set `basePath` to its path.",
            },
          ];
    }),
  "router-wildcard": ({ project }) =>
    project.getSourceFiles().flatMap((file) =>
      file
        .getDescendantsOfKind(SyntaxKind.CallExpression)
        .filter((call) => {
          const [path, handler] = call.getArguments();
          return (
            /\.use$/.test(call.getExpression().getText()) &&
            Node.isStringLiteral(path) &&
            /[*]/.test(path.getLiteralValue()) &&
            /^(?:\w*[rR]outer)$/.test(handler?.getText() ?? "") &&
            /@cardea\/express|createAuth|auth/.test(file.getFullText())
          );
        })
        .map((call) => ({
          where: placeOf(call),
          what: "mounts the router with a wildcard",
          remedy: 'Remove the wildcard: app.use("/auth", router).',
        })),
    ),
  "core-twice": ({ installed }) =>
    [...installed]
      .filter(([name]) => name.endsWith("/node_modules/@cardea/core"))
      .map(([name, version]) => ({
        where: name,
        what: `a second copy of @cardea/core (${version})`,
        remedy: "Update the packages together, so that they share one copy.",
      })),
  "framework-version": ({ manifest, installed }) => {
    const next = majorOf(installed.get("next") ?? rangeOf(manifest, "next"));
    return rangeOf(manifest, "@cardea/next") !== undefined && next !== undefined && next < 14
      ? [{ where: "package.json", what: `Next.js ${next} is not supported`, remedy: "Update to 14.2 or later." }]
      : [];
  },
  "several-instances": (facts) => {
    const hasStore = facts.configurations.some(({ literals }) =>
      literals.some((literal) => valueNamed(literal, "store") !== undefined),
    );
    if (hasStore || facts.configurations.length === 0) return [];
    const scaled = [...facts.files].filter(
      ([path, text]) =>
        /\.ya?ml$|ecosystem\.config\.\w+$/.test(path) &&
        /^\s*replicas:\s*(?:[2-9]|\d\d)|\binstances:\s*(?:["']max["']|[2-9])/m.test(text),
    );
    const named = Number(facts.env.WEB_CONCURRENCY ?? 1) > 1 ? [["/WEB_CONCURRENCY", ""] as const] : [];
    return [...scaled, ...named].map(([path]) => ({
      where: path.slice(1),
      what: "starts several instances, but rate limits are kept in each instance's memory",
      remedy: "Configure a `store`, or accept separate limits per instance (docs/deployment.md).",
    }));
  },
  "schema-model": (facts) =>
    inSchema(
      facts,
      (text) => {
        const missing = ["Account", "Session", "VerificationToken"].filter((name) => modelOf(text, name) === undefined);
        return missing.length > 0 ? `has no model ${missing.join(", ")}` : undefined;
      },
      "Copy it from node_modules/@cardea/adapter-prisma/prisma.",
    ),
  "schema-account-key": (facts) =>
    inSchema(
      facts,
      (text) => {
        const model = modelOf(text, "Account");
        return model !== undefined &&
          !/@@(?:id|unique)\(.*\[\s*(?:provider\s*,\s*providerAccountId|providerAccountId\s*,\s*provider)\s*\]/.test(
            model,
          )
          ? "Account has no unique key on provider and providerAccountId"
          : undefined;
      },
      "Add `@@id([provider, providerAccountId])`: an account must not belong to two users.",
    ),
  "schema-email-unique": (facts) =>
    inSchema(
      facts,
      (text) => {
        const model = modelOf(text, "User");
        return model !== undefined && /^\s*email\s/m.test(model) && !/^\s*email\s.*@unique/m.test(model)
          ? "User.email is not unique"
          : undefined;
      },
      "Add `@unique`: lookups by address expect one user.",
    ),
  "schema-email-verified": (facts) =>
    inSchema(
      facts,
      (text) => {
        const model = modelOf(text, "User");
        return model !== undefined && !/^\s*emailVerified\s/m.test(model) ? "User has no emailVerified" : undefined;
      },
      "Add `emailVerified DateTime?`; without it, no address counts as verified (docs/database.md).",
    ),
  "schema-session-token": (facts) =>
    inSchema(
      facts,
      (text) => {
        const model = modelOf(text, "Session");
        return model !== undefined && !/^\s*sessionToken\s.*@(?:unique|id)/m.test(model)
          ? "Session.sessionToken has no index"
          : undefined;
      },
      "Add `@unique`: every request looks up a session by it.",
    ),
  "schema-token-length": (facts) =>
    inSchema(
      facts,
      (text) => {
        const model = modelOf(text, "Account");
        const isMysql = /provider\s*=\s*"mysql"/.test(text);
        return isMysql && model !== undefined && /^\s*(?:access|refresh|id)_token\s+String\?[ \t]*$/m.test(model)
          ? "token columns of Account are too short for provider tokens"
          : undefined;
      },
      "Add `@db.Text` to access_token, refresh_token and id_token.",
    ),
  "schema-cascade": (facts) =>
    inSchema(
      facts,
      (text) => {
        const model = modelOf(text, "Account");
        return model !== undefined && /@relation\(/.test(model) && !/onDelete:\s*Cascade/.test(model)
          ? "accounts are not deleted with their user"
          : undefined;
      },
      "Add `onDelete: Cascade` to the relation.",
    ),
};
