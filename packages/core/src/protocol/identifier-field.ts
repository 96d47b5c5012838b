/** Names of fields for what identifies a user. */
const LOGIN_NAME = /^(?:user|user[-_]?name|e-?mail|login|name|identifier|account)$/i;

const EMAIL_NAME = /^e-?mail$/i;

/** What a field of a form asks for: an e-mail address, another identifier, or anything else. */
export function identifierKind(name: string, type: unknown): "email" | "name" | null {
  if (type === "email") return "email";
  const isText = type === undefined || type === "text";
  if (!isText || !LOGIN_NAME.test(name)) return null;
  return EMAIL_NAME.test(name) ? "email" : "name";
}

/** The name of the field that identifies the user, if a form has one: the first of its kind. */
export function identifierField(fields: Readonly<Record<string, { readonly type?: unknown }>>): string | undefined {
  return Object.entries(fields).find(([name, { type }]) => identifierKind(name, type) !== null)?.[0];
}
