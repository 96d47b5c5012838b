/**
 * Removes members named `__proto__` from a parsed JSON value, at any depth: code that copies members one by one, as a
 * callback may, would set the prototype of its copy (CWE-1321). Changes the value in place; a value from `JSON.parse`
 * belongs to its parser. Not recursive, because the sender controls the depth.
 */
export function withoutPrototypes(value: unknown): unknown {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__")) Reflect.deleteProperty(next, "__proto__");
    for (const member of Object.values(next)) if (typeof member === "object" && member !== null) open.push(member);
  }
  return value;
}
