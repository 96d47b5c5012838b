/**
 * The form in which passwords are hashed and measured: keyboards send `ö` as one character or as two, depending on the system
 * (RFC 8265 §4.2.2, Unicode form NFC). Nothing else changes: compatibility forms, case and blanks count.
 */
export function composed(password: string): string {
  return password.normalize("NFC");
}

/**
 * What a password is compared as: composed, decomposed and as submitted. Hashes of other libraries were made from either form.
 * One spelling for most passwords, at most three.
 */
export function spellingsOf(password: string): readonly string[] {
  return [...new Set([composed(password), password.normalize("NFD"), password])];
}
