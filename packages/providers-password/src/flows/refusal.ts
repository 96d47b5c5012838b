const REFUSALS: readonly unknown[] = ["AccessDenied", "OAuthAccountNotLinked"];

/** Whether a sign-in was refused for good: then its link is used up. After an outage it can be opened again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && "type" in error && REFUSALS.includes(error.type);
}
