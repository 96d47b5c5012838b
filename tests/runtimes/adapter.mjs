// A database of this process's memory, as small as passkeys and sessions allow: what has to run where nothing of Node's is.
// Tests of an application on Node take the one of @cardea/testing.

/** Makes an empty one. */
export function createAdapter() {
  const [users, accounts, sessions, keys, tokens] = [[], [], [], [], []];
  const find = (rows, wanted) => rows.find((row) => isLike(row, wanted)) ?? null;
  const add = (rows, row) => rows[rows.push({ ...row }) - 1];
  const take = (rows, wanted) => {
    const at = rows.findIndex((row) => isLike(row, wanted));
    return at < 0 ? null : rows.splice(at, 1)[0];
  };
  const change = (rows, wanted, more) => {
    const row = find(rows, wanted);
    return row === null ? null : Object.assign(row, more);
  };
  const userOf = (row) => (row === null ? null : find(users, { id: row.userId }));
  return {
    createUser: (user) => add(users, { ...user, id: crypto.randomUUID() }),
    getUser: (id) => find(users, { id }),
    getUserByEmail: (email) => find(users, { email }),
    getUserByAccount: ({ provider, providerAccountId }) => userOf(find(accounts, { provider, providerAccountId })),
    updateUser: ({ id, ...more }) => change(users, { id }, more),
    deleteUser: (id) => take(users, { id }),
    linkAccount: (account) => add(accounts, account),
    getAccount: (providerAccountId, provider) => find(accounts, { provider, providerAccountId }),
    createSession: (session) => add(sessions, session),
    getSessionAndUser: (sessionToken) => {
      const session = find(sessions, { sessionToken });
      return session === null ? null : { session, user: userOf(session) };
    },
    updateSession: ({ sessionToken, ...more }) => change(sessions, { sessionToken }, more),
    deleteSession: (sessionToken) => take(sessions, { sessionToken }),
    createVerificationToken: (token) => add(tokens, token),
    useVerificationToken: ({ identifier, token }) => take(tokens, { identifier, token }),
    createAuthenticator: (key) => add(keys, key),
    getAuthenticator: (credentialID) => find(keys, { credentialID }),
    listAuthenticatorsByUserId: (userId) => keys.filter((key) => key.userId === userId),
    updateAuthenticatorCounter: (credentialID, counter) => change(keys, { credentialID }, { counter }),
  };
}

function isLike(row, wanted) {
  return Object.entries(wanted).every(([name, value]) => row[name] === value);
}
