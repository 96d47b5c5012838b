import { type Block, type CallExpression, Node, type ObjectLiteralExpression } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { isTypeScript } from "../identifiers.ts";
import { objectIn, optionsOf, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";

/**
 * In NextAuth v4, the fields of `authorize(credentials)` are strings; now they are `unknown`, as submitted by the form.
 * A cast to the former type is added, so that the code does not need to change. The second parameter is a `Request`: reads of its former
 * members, which would find nothing, are named.
 */
export function typeCredentials(application: Application): Draft {
  const draft = new Draft();
  if (application.former !== "nextauth-v4") return draft;
  for (const file of application.project.getSourceFiles()) {
    const imported = findImport(file, ["@cardea/providers-credentials"], "default");
    for (const call of imported === undefined ? [] : callsOf(file, imported.local)) typeCall(draft, call);
  }
  return draft;
}

function typeCall(draft: Draft, call: CallExpression): void {
  const options = optionsOf(call);
  const authorize = options === undefined ? undefined : valueNamed(options, "authorize");
  const isFunction =
    Node.isArrowFunction(authorize) || Node.isMethodDeclaration(authorize) || Node.isFunctionExpression(authorize);
  if (options === undefined || !isFunction) return;
  const [parameter, request] = authorize.getParameters();
  const body = authorize.getBody();
  const parts = request === undefined ? "" : `${request.getText()} ${body?.getText()}`;
  if (request !== undefined && /\b(?:body|query)\b|\bheaders\b(?!\??\.(?:get|has)\b)/.test(parts)) {
    draft.note(
      "left",
      request,
      "`req` of `authorize` is now a `Request`",
      "use `await req.formData()`, `new URL(req.url)` and `req.headers.get(name)` instead of `req.body`, `req.query` and `req.headers[name]`",
    );
  }
  if (!isTypeScript(call.getSourceFile())) return;
  if (parameter === undefined || parameter.getTypeNode() !== undefined || !Node.isBlock(body)) return;
  const type = fieldsType(options);
  const name = parameter.getNameNode().getText();
  if (body.getStatements()[0]?.getText().includes(` = ${name} as Record<`)) return;
  const { semicolon } = styleOf(call.getSourceFile().getFullText());
  const fields = name === "fields" ? "given" : "fields";
  draft.replace(parameter.getNameNode(), fields);
  // In one line, the next statement needs the semicolon.
  const lead = leadOf(body);
  const end = lead === " " ? ";" : semicolon;
  draft.insert(call.getSourceFile(), body.getStart() + 1, `${lead}const ${name} = ${fields} as ${type}${end}`);
  draft.note("changed", parameter, "the fields of `authorize` keep their type from NextAuth v4");
}

function fieldsType(options: ObjectLiteralExpression): string {
  const fields = objectIn(valueNamed(options, "credentials"));
  const names = fields
    ?.getProperties()
    .map((property) => ("getName" in property ? property.getName().replace(/^["']|["']$/g, "") : ""));
  const { quote } = styleOf(options.getSourceFile().getFullText());
  const keys =
    names === undefined || names.length === 0 ? "string" : names.map((name) => `${quote}${name}${quote}`).join(" | ");
  return `Record<${keys}, string> | undefined`;
}

/** What sets off the first statement of a block: a line break with indentation, or a space. */
function leadOf(block: Block): string {
  const [first] = block.getStatements();
  const text = block.getFullText();
  const [blanks = ""] = /^\s*/.exec(text.slice(block.getStart() - block.getPos() + 1)) ?? [];
  const [, eol = "", column = ""] = /^[^\n]*?(\r?\n)(?:[\s\S]*\n)?([ \t]*)$/.exec(blanks) ?? [];
  return eol === "" || first === undefined ? " " : eol + column;
}
