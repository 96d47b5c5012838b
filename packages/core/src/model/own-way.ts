/** What core signs in by with a provider's own way. Each way brings it, so that an application without one has none of it. */
export const OWN_WAY: unique symbol = Symbol.for("cardea.sign-in-way");
