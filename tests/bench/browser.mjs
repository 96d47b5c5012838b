// A browser as far as cookies go.

/** Keeps the cookies of responses. */
export class CookieJar {
  #cookies = new Map();

  keep(response) {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      this.#cookies.set(name, value);
      if (value === "" || /max-age=0\b/i.test(line)) this.#cookies.delete(name);
    }
    return response;
  }

  /** The `Cookie` header; with a pattern, of the cookies whose names match. */
  header(pattern = /(?:)/) {
    return [...this.#cookies]
      .filter(([name]) => pattern.test(name))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  }
}
