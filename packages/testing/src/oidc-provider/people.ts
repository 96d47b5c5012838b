/** The users of the local provider. */

/** A user, as the claims in their ID token and userinfo (OIDC Core §5.1). */
export interface Persona {
  /** The user's id; unique on the list. */
  readonly sub: string;
  /** The full name. */
  readonly name: string;
  /** The user name, which the sign-in page shows. */
  readonly preferred_username: string;
  /** Absent: the provider does not report an address. */
  readonly email?: string;
  /** Whether the address is verified; absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the picture, or a `data:` URL; absent: none. */
  readonly picture?: string;
}

function portrait(initials: string, colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${colour}"/><text x="20" y="26" font-family="sans-serif" font-size="16" fill="#fff" text-anchor="middle">${initials}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The default users: with a verified, an unverified and no e-mail address, with and without a picture. */
export const personas: readonly Persona[] = [
  {
    sub: "ada-1815",
    name: "Ada Lovelace",
    preferred_username: "ada",
    email: "ada@example.com",
    email_verified: true,
    picture: portrait("AL", "#5b3fd4"),
  },
  {
    sub: "alan-1912",
    name: "Alan Turing",
    preferred_username: "alan",
    email: "alan@example.com",
    email_verified: true,
  },
  {
    sub: "zofia-1904",
    name: "Zofia Żółkiewska-Ångström",
    preferred_username: "zofia",
    email: "zofia@example.com",
    email_verified: false,
  },
  { sub: "nemo-1870", name: "Captain Nemo", preferred_username: "nemo" },
];

/** The users of one provider: the configured ones, and those added by typing a login. */
export class People {
  readonly #known = new Map<string, Persona>();
  readonly listed: readonly Persona[];

  constructor(listed: readonly Persona[]) {
    this.listed = listed;
    for (const person of listed) this.#known.set(person.sub, person);
  }

  /** The user with that `sub`, or `undefined`. */
  find(sub: string | undefined): Persona | undefined {
    return sub === undefined ? undefined : this.#known.get(sub);
  }

  /** The user with that login: a sub, user name or e-mail address, case-insensitive. */
  findByLogin(login: string): Persona | undefined {
    const wanted = login.trim().toLowerCase();
    return [...this.#known.values()].find(({ sub, preferred_username, email }) =>
      [sub, preferred_username, email].some((name) => name?.toLowerCase() === wanted),
    );
  }

  /** The user with that login, or a new one with an unverified address. */
  findOrAdd(login: string): Persona {
    const known = this.findByLogin(login);
    if (known !== undefined) return known;
    const name = login.trim();
    const email = name.includes("@") ? name : `${encodeURIComponent(name)}@example.com`;
    const person = { sub: `typed-${name}`, name, preferred_username: name, email, email_verified: false };
    this.#known.set(person.sub, person);
    return person;
  }
}
