import { setTimeout as pause } from "node:timers/promises";
import { type Browser, createBrowser } from "@cardea/testing";
import { clock, type History } from "./history.ts";
import type { Fleet } from "./start-fleet.ts";

/** After an end was answered, a session may be served for so long: `revocation.every` and a margin, in milliseconds. */
export const BOUND = 2_200;

/** A session of a visitor in one browser. */
interface Device {
  readonly browser: Browser;
  /** Public id. */
  readonly id: string;
  /** `asked`: its end was asked for, and nothing certain was answered. */
  state: "alive" | "asked" | "ended";
  /** Whether its user has proven themselves on it. */
  isProven: boolean;
  /**
   * An end of several sessions may end this one too: it had no certain answer before this sign-in and is retried, or the store was emptied
   * after it, before another process had read it.
   */
  readonly mayEnd: boolean;
}

/** A copy of a cookie whose session was ended, as a thief has it. */
interface Copy {
  readonly cookie: string;
  /** When its end was answered. */
  readonly endedAt: number;
}

/** A user who signs in, out and elsewhere, one thing after the other. */
export class Visitor {
  readonly #fleet: Fleet;
  readonly #history: History;
  readonly #login: string;
  readonly #random: () => number;
  readonly #steps: string[] = [];
  #devices: Device[] = [];
  #copies: Copy[] = [];
  /** When the last end of several sessions was answered: infinity if it had no certain answer. */
  #endedAt: number | undefined;

  constructor(fleet: Fleet, history: History, login: string, random: () => number) {
    this.#fleet = fleet;
    this.#history = history;
    this.#login = login;
    this.#random = random;
  }

  /** Reads the session of one device, on whatever process the load balancer chooses. */
  async look(): Promise<void> {
    const device = this.#devices.find(({ state }) => state === "alive");
    if (device !== undefined) await this.#try(() => this.#read(device));
  }

  /** Does one thing; what fails because something is away is counted. */
  async act(): Promise<void> {
    await this.#try(() => this.#step());
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#did(`nothing certain: ${error instanceof Error ? error.message : String(error)}`);
      this.#history.count(error instanceof Unavailable ? "unavailable" : "failed");
      if (!(error instanceof Unavailable)) this.#history.note(String(error).slice(0, 100));
    }
  }

  /** Does everything that a user can do once, while nothing is away: what is counted afterwards is of something that works. */
  async mustTour(): Promise<void> {
    for (const end of ["one", "others", "all"]) {
      while (this.#devices.filter(({ state }) => state === "alive").length < 2) await this.#signIn();
      const [first, second] = this.#devices.filter(({ state }) => state === "alive");
      if (first === undefined || second === undefined) throw new Error("The visitor has no two sessions.");
      await this.#renew(first);
      if (end === "all") await this.#end(first, end, [first, second]);
      else await this.#end(first, end === "one" ? second.id : end, [second]);
    }
  }

  /** Signs in on a new device, which has to work. */
  async mustSignIn(tries = 5): Promise<void> {
    try {
      await this.#signIn();
    } catch (error) {
      // Of a machine that is busy something may be away for a moment: a user tries once more.
      if (tries > 1) return this.mustSignIn(tries - 1);
      this.#history.violate(`${this.#login} cannot sign in: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Signs out, which has to work; the copy of the cookie is for {@link Visitor.mustBeOut}. */
  async mustSignOut(): Promise<void> {
    const device = this.#devices.find(({ state }) => state === "alive");
    this.#copies = [];
    try {
      if (device !== undefined) await this.#signOut(device);
    } catch (error) {
      this.#history.violate(`${this.#login} cannot sign out: ${String(error)}`);
    }
  }

  /** A copy from before the sign-out opens nothing on any process, once the bound has passed. */
  async mustBeOut(processes: number): Promise<void> {
    for (let n = 0; n < processes; n++) await this.#replay();
  }

  /** Notes a step, for the report of a promise that was broken. */
  #did(step: string): void {
    this.#steps.push(`${Math.round(clock())} ms ${step}`);
  }

  #step(): Promise<void> {
    const alive = this.#devices.filter(({ state }) => state === "alive");
    const [first, second] = alive;
    const dice = this.#random();
    if (first === undefined || (alive.length < 3 && dice < 0.04)) return this.#signIn();
    if (dice < 0.08) return this.#signOut(first);
    const { endsSessions } = this.#fleet;
    if (dice < 0.13 && endsSessions && second !== undefined) return this.#end(first, second.id, [second]);
    if (dice < 0.16 && endsSessions) return this.#end(first, "others", alive.slice(1));
    if (dice < 0.18 && endsSessions) return this.#end(first, "all", alive);
    if (dice < 0.22) return this.#renew(first);
    if (dice < 0.45 && this.#copies.length > 0) return this.#replay();
    return this.#read(alive[Math.floor(this.#random() * alive.length)] ?? first);
  }

  async #signIn(): Promise<void> {
    this.#did("signs in");
    const browser = createBrowser(fetch, {
      origin: this.#fleet.origin,
      routes: { [this.#fleet.issuer]: fetch },
      follow: "all",
    });
    const page = await browser.navigate("/auth/signin?callbackUrl=/members");
    if (page.status !== 200) throw new Unavailable();
    const chooser = await browser.submit(page, { action: "/auth/signin/local" });
    const back = await browser.submit(chooser, { button: "Continue", fields: { other: this.#login } });
    if (back.status >= 500 || !back.url.endsWith("/members")) throw new Unavailable(`${back.status} ${back.url}`);
    const id = this.#fleet.endsSessions ? await this.#idOf(browser) : "";
    this.#history.count("sign-ins");
    this.#did("is signed in");
    const device: Device = { browser, id, state: "alive", isProven: false, mayEnd: this.#mayStillEnd() };
    // What this visitor did not hear the end of is forgotten.
    this.#devices = [...this.#devices.filter(({ state }) => state === "alive"), device];
    await this.#read(device);
  }

  #mayStillEnd(): boolean {
    const endedAt = this.#endedAt;
    if (endedAt === undefined) return false;
    return endedAt === Number.POSITIVE_INFINITY || this.#history.wasEmptiedWithin(BOUND, endedAt);
  }

  async #idOf(browser: Browser): Promise<string> {
    const answer = await browser.fetch("/auth/sessions", { headers: { accept: "application/json" } });
    if (answer.status !== 200) throw new Unavailable();
    const { sessions } = await answer.json();
    return sessions.find(({ current }: { current: boolean }) => current)?.id;
  }

  async #read(device: Device): Promise<void> {
    const since = clock();
    const answer = await device.browser.fetch("/auth/session");
    if (!answer.ok) throw new Unavailable();
    const session = await answer.json();
    this.#history.answered(since);
    if (session === null) {
      if (device.state === "alive" && device.mayEnd) this.#history.count("ended later than asked");
      else if (device.state === "alive") {
        const why = answer.headers.get("x-auth-session-ended") ?? "no reason";
        const steps = this.#steps.slice(-12).join("; ");
        this.#history.violate(`${this.#login} was signed out without a request for it (${why}), after: ${steps}`);
      }
      device.state = "ended";
    } else this.#expectOwn(session);
  }

  /** Has the session issued again, with its name from the database. */
  async #renew(device: Device): Promise<void> {
    this.#did("renews");
    const answer = await this.#post(device, "session", { data: "{}" });
    const session = await answer.json();
    if (session === null) throw new Unavailable();
    this.#expectOwn(session);
    this.#history.count("renewals");
  }

  #expectOwn(session: { readonly user?: { readonly email?: string } }): void {
    const email = session.user?.email;
    if (email !== `${this.#login}@example.com`) this.#history.violate(`${this.#login} saw the session of ${email}`);
  }

  async #signOut(device: Device): Promise<void> {
    this.#did("signs out");
    const cookie = cookieOf(device.browser);
    device.state = "asked";
    const answer = await this.#post(device, "signout", {});
    const { complete } = await answer.json();
    if (complete === false) {
      this.#history.count("sign-outs incomplete");
      return;
    }
    this.#history.count("sign-outs");
    this.#ended([device], [cookie]);
  }

  async #end(by: Device, end: string, targets: readonly Device[]): Promise<void> {
    if (!by.isProven) await this.#prove(by);
    this.#did(`ends ${end}`);
    const cookies = targets.map(({ browser }) => cookieOf(browser));
    // Of the session that stays, the former token is dead as well.
    if (end === "others") cookies.push(cookieOf(by.browser));
    for (const device of targets) device.state = "asked";
    // Where the answer is lost the session that stays may have a token that never arrived.
    if (end === "others") by.state = "asked";
    const isOfSeveral = end === "others" || end === "all";
    if (isOfSeveral) this.#endedAt = Number.POSITIVE_INFINITY;
    const answer = await this.#post(by, "sessions", { end });
    // An answer to `X-Auth-Return-Redirect` is 200 also where it leads to the page of an error.
    const isDone = answer.status === 200 && !(await answer.text()).includes("error=");
    if (!isDone) throw new Unavailable(`${answer.status}`);
    if (end === "others") by.state = "alive";
    if (isOfSeveral) this.#endedAt = clock();
    this.#history.count("sessions ended");
    this.#ended(targets, cookies);
  }

  /** Proves the user freshly at the provider, which the end of other sessions asks for. The session goes on with another token. */
  async #prove(device: Device): Promise<void> {
    this.#did("proves itself");
    const { browser } = device;
    const cookie = cookieOf(browser);
    const page = await browser.navigate("/auth/step-up?level=settings&callbackUrl=/members");
    if (page.status !== 200) throw new Unavailable();
    const chooser = await browser.submit(page, { action: "/auth/step-up/oidc" });
    // Where the answer is lost the token that was replaced is dead, and that in its place never arrived.
    device.state = "asked";
    const back = await browser.submit(chooser, { button: "Continue" });
    if (back.status >= 500 || !back.url.endsWith("/members")) throw new Unavailable(`${back.status} ${back.url}`);
    device.state = "alive";
    device.isProven = true;
    this.#history.count("proofs");
    this.#ended([], [cookie]);
  }

  #ended(devices: readonly Device[], cookies: readonly string[]): void {
    const endedAt = clock();
    for (const device of devices) device.state = "ended";
    this.#copies.push(...cookies.map((cookie) => ({ cookie, endedAt })));
    this.#copies = this.#copies.slice(-20);
  }

  /** A thief tries a copy of a cookie. */
  async #replay(): Promise<void> {
    const copy = this.#copies[Math.floor(this.#random() * this.#copies.length)];
    if (copy === undefined) return;
    const since = clock();
    const answer = await fetch(`${this.#fleet.origin}/auth/session`, { headers: { cookie: copy.cookie } });
    if (!answer.ok) throw new Unavailable();
    const session = await answer.json();
    this.#history.count("replays");
    if (session === null) return;
    this.#expectOwn(session);
    const { endedAt } = copy;
    // What the process printed before it answered may arrive later.
    await pause(200);
    const least = Math.max(endedAt, this.#history.awayUntil(clock())) + BOUND;
    this.#history.count("replays answered within the bound");
    if (since > least)
      this.#history.violate(`an ended session answered ${Math.round(since - endedAt)} ms after its end`);
  }

  async #post(device: Device, action: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const csrf = await device.browser.fetch("/auth/csrf");
    if (!csrf.ok) throw new Unavailable();
    const { csrfToken } = await csrf.json();
    const answer = await device.browser.fetch(`/auth/${action}`, {
      method: "POST",
      body: new URLSearchParams({ csrfToken, ...fields }),
      headers: { "X-Auth-Return-Redirect": "1" },
    });
    if (answer.status >= 500) throw new Unavailable();
    return answer;
  }
}

/** Something was away: no session, and no end of one. */
class Unavailable extends Error {}

function cookieOf(browser: Browser): string {
  return browser.cookies
    .list()
    .filter(({ name }) => name.includes("session-token"))
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}
