/** Who can sign in at the local provider. */

/** One person, as the claims their ID token and userinfo carry (OIDC Core §5.1). */
export interface Persona {
  readonly sub: string;
  readonly name: string;
  readonly preferred_username: string;
  /** Absent: the provider gives no address. */
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
}

function portrait(initials: string, colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${colour}"/><text x="20" y="26" font-family="sans-serif" font-size="16" fill="#fff" text-anchor="middle">${initials}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The people who can sign in by default: with verified, unverified and no e-mail address, with and without a picture. */
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

/** The people one provider knows: those it was given, and anyone who typed a login of their own. */
export class People {
  readonly #known = new Map<string, Persona>();
  readonly listed: readonly Persona[];

  constructor(listed: readonly Persona[]) {
    this.listed = listed;
    for (const person of listed) this.#known.set(person.sub, person);
  }

  /** The person of that `sub`, or `undefined`. */
  find(sub: string | undefined): Persona | undefined {
    return sub === undefined ? undefined : this.#known.get(sub);
  }

  /** The person who goes by that login: their sub, user name or e-mail address, whatever the case. */
  findByLogin(login: string): Persona | undefined {
    const wanted = login.trim().toLowerCase();
    return [...this.#known.values()].find(({ sub, preferred_username, email }) =>
      [sub, preferred_username, email].some((name) => name?.toLowerCase() === wanted),
    );
  }

  /** That person, or a new one with an address that is not verified. */
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
