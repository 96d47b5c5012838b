/** Calls a function with temporary environment variables. */
export async function withEnvironment<T>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(variables)) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
