import type { AdapterAccount, Tools } from "@cardea/extend";
import type { AccountKey, Home, Reading } from "./home.ts";
import { openText, sealText } from "./sealing.ts";
import { storeHome } from "./store-home.ts";
import { type KeptTokens, NO_TOKENS, textOf } from "./tokens.ts";
import { isTooLong, longColumns } from "./too-long.ts";

/**
 * Values of `refresh_token` that record why there is no token, or that the columns are too short and the tokens are in
 * the store.
 */
const MARKS = { revoked: "v1.none.revoked", lost: "v1.none.lost", store: "v1.store" } as const;

const COLUMNS = ["access_token", "refresh_token", "id_token"] as const;
type Column = (typeof COLUMNS)[number];
type Columns = Record<Column, string | null>;

/**
 * Tokens in the columns of the account, for an adapter with `swapAccountTokens`.
 *
 * Tokens that do not fit a column go to the store or are dropped; the sign-in does not fail.
 */
export function rowHome(t: Tools, key: AccountKey, seal: boolean): Home {
  return new RowHome(t, key, seal);
}

class RowHome implements Home {
  readonly name: string;
  readonly key: AccountKey;
  readonly #t: Tools;
  readonly #seal: boolean;
  readonly #elsewhere: Home | undefined;

  constructor(t: Tools, key: AccountKey, seal: boolean) {
    const { provider, account } = key;
    this.name = JSON.stringify(["account", provider, account]);
    this.key = key;
    this.#t = t;
    this.#seal = seal;
    this.#elsewhere = t.store === undefined ? undefined : storeHome(t, ["account", provider, account], key, null);
  }

  async read(): Promise<Reading> {
    const row = await this.#row();
    const text = row?.refresh_token ?? null;
    if (row === null) return { tokens: NO_TOKENS, text };
    if (text === MARKS.store && this.#elsewhere !== undefined) return this.#elsewhere.read();
    return { tokens: await this.#open(row), text };
  }

  async swap(before: Reading, next: KeptTokens): Promise<boolean> {
    const stored = (await this.#row())?.refresh_token ?? null;
    if (stored === MARKS.store && this.#elsewhere !== undefined) return this.#elsewhere.swap(before, next);
    const columns = await this.#close(next);
    try {
      if (!(await this.#swapRow(before.text, columns, next))) return false;
      if (await this.#isWhole(columns)) return true;
    } catch (error) {
      if (!isTooLong(error, columns)) throw error;
    }
    return this.#putElsewhere(columns, next);
  }

  #row(): Promise<AdapterAccount | null> {
    return this.#t.callAdapter("getAccount", this.key.account, this.key.provider);
  }

  #swapRow(expected: string | null, columns: Columns, next: KeptTokens): Promise<boolean> {
    const { provider, account: providerAccountId } = this.key;
    const rest = { expires_at: next.expiresAt ?? null, scope: next.scope ?? null, token_type: next.tokenType ?? null };
    return this.#t.callAdapter("swapAccountTokens", {
      ...{ provider, providerAccountId, expected },
      tokens: { ...columns, ...rest },
    });
  }

  async #open(row: AdapterAccount): Promise<KeptTokens> {
    const open = async (column: Column) => {
      const stored = textOf(row[column]);
      const isMark = stored === undefined || Object.values<string>(MARKS).includes(stored);
      return isMark ? undefined : openText(this.#t, stored, { ...this.key, column });
    };
    const [accessToken, refreshToken, idToken] = await Promise.all(COLUMNS.map(open));
    const mark = row.refresh_token;
    const expiresAt = row.expires_at ?? undefined;
    return {
      ...{ accessToken, refreshToken, idToken },
      expiresAt: expiresAt === undefined ? undefined : Number(expiresAt),
      scope: textOf(row.scope),
      tokenType: textOf(row.token_type),
      gone: mark === MARKS.lost ? "lost" : mark === MARKS.revoked ? "revoked" : undefined,
    };
  }

  async #close(next: KeptTokens): Promise<Columns> {
    const close = async (text: string | undefined, column: Column) => {
      if (text === undefined) return null;
      return this.#seal ? sealText(this.#t, text, { ...this.key, column }) : text;
    };
    return {
      access_token: await close(next.accessToken, "access_token"),
      refresh_token: next.gone === undefined ? await close(next.refreshToken, "refresh_token") : MARKS[next.gone],
      id_token: await close(next.idToken, "id_token"),
    };
  }

  /** Checks for truncation, which some databases do not report. */
  async #isWhole(columns: Columns): Promise<boolean> {
    const row = await this.#row();
    if (row === null || row.refresh_token === columns.refresh_token) {
      return row === null || COLUMNS.every((name) => (row[name] ?? "") === (columns[name] ?? ""));
    }
    // Either the text was truncated, or another process has written since.
    return columns.refresh_token?.startsWith(row.refresh_token ?? "") !== true;
  }

  /** Writes to the store, with a mark in the row. Without a store, the tokens are dropped. */
  async #putElsewhere(columns: Columns, next: KeptTokens): Promise<boolean> {
    const elsewhere = this.#elsewhere;
    const what = elsewhere === undefined ? "were not stored" : "were stored in `store` instead";
    const { provider } = this.key;
    this.#t.logger.error(
      new Error(
        `vault: columns of the accounts table are too short for ${longColumns(columns)} of provider "${provider}"; the tokens ${what}. Change the columns to TEXT.`,
      ),
    );
    if (elsewhere !== undefined && !(await elsewhere.swap(await elsewhere.read(), next))) return false;
    const refresh_token = elsewhere === undefined ? null : MARKS.store;
    const now = (await this.#row())?.refresh_token ?? null;
    return this.#swapRow(now, { access_token: null, refresh_token, id_token: null }, next);
  }
}
