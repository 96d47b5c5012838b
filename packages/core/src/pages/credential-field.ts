import type { CredentialInput } from "../model/provider.ts";
import { identifierKind } from "../protocol/identifier-field.ts";
import { field } from "./components.ts";
import type { Html } from "./html.ts";
import { ownText } from "./texts.ts";

/** A field of a credentials form, and its position on the page. */
interface CredentialField {
  readonly name: string;
  readonly input: CredentialInput;
  /** Unique on the page. */
  readonly id: string;
  /** Id of an error text above the form that may be about this field. */
  readonly describedBy: string | null;
  /** What is wrong with this field. */
  readonly error?: string | null;
  /** What was typed before; never for a password. */
  readonly value?: string | undefined;
  /** Whether this field receives the focus, whatever its own options. */
  readonly focus?: boolean;
  /** Whether browsers may offer passkeys in this field if it is for the user name (WebAuthn L3 §5.1.7, conditional mediation). */
  readonly passkeys: boolean;
}

/** The supported input types; any other becomes `text`. */
const TYPES: ReadonlySet<string> = new Set(["text", "password", "email", "tel", "url", "search", "number", "date"]);

/** The attributes that an application may set, by type of value. */
const ATTRIBUTES = {
  placeholder: "text",
  autocomplete: "text",
  pattern: "text",
  inputmode: "text",
  minlength: "count",
  maxlength: "count",
  required: "flag",
  autofocus: "flag",
} satisfies Record<string, "text" | "count" | "flag">;

const PASSWORD_NAME = /pass(?:word|phrase)$/i;

/** A label and its input. The value of a password is never prefilled. */
export function renderCredentialField(given: CredentialField): Html {
  const { name, input, id, describedBy, error, value, focus = false, passkeys } = given;
  const type = fieldType(name, input.type);
  const attributes = new Map([...defaultAttributes(name, type), ...allowedAttributes(input)]);
  if (passkeys && attributes.get("autocomplete") === "username") attributes.set("autocomplete", "username webauthn");
  if (focus) attributes.set("autofocus", "");
  const label = typeof input.label === "string" && input.label.trim() !== "" ? input.label : name;
  const isOptional = !attributes.has("required");
  return field({
    ...{ name, label, id, type, isOptional, error, value: type === "password" ? undefined : value },
    describedBy: describedBy === null ? [] : [describedBy],
    attributes: Object.fromEntries(attributes),
  });
}

/** ASVS 6.2.6: a field named password is masked unless it has another type. */
export function fieldType(name: string, type: unknown): string {
  if (type === undefined) return PASSWORD_NAME.test(name) ? "password" : "text";
  const given = typeof type === "string" ? type.trim().toLowerCase() : "";
  return TYPES.has(given) ? given : "text";
}

/** ASVS 6.2.7: tells password managers what each field is for. */
function defaultAttributes(name: string, type: string): [string, string][] {
  if (type === "password") return [["autocomplete", "current-password"]];
  if (identifierKind(name, type === "email" ? type : undefined) === null) return [];
  return [
    ["autocomplete", "username"],
    ["autocapitalize", "none"],
    ["spellcheck", "false"],
  ];
}

function allowedAttributes(input: CredentialInput): [string, string][] {
  return Object.entries(input).flatMap(([key, given]): [string, string][] => {
    const name = key.toLowerCase();
    const value = parseAttribute(ownText(ATTRIBUTES, name), given);
    return value === null ? [] : [[name, value]];
  });
}

function parseAttribute(kind: "text" | "count" | "flag" | undefined, value: unknown): string | null {
  switch (kind) {
    case "text":
      return typeof value === "string" && value !== "" ? value : null;
    case "count":
      return /^\d{1,6}$/.test(String(value)) ? String(value) : null;
    case "flag":
      return value === true || value === "true" || value === "" ? "" : null;
    case undefined:
      return null;
  }
}
