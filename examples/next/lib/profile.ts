import { fetchAs, ReauthRequired } from "@cardea/vault";
import { auth } from "@/auth";

/** What the provider says of the user who is signed in; null where the user has to consent first. */
export async function readProfile(): Promise<unknown> {
  const { AUTH_LOCAL_ISSUER: issuer = "" } = process.env;
  // OpenID Connect Core §5.3: where it is stands in the provider's metadata.
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  try {
    // For the user of the running request.
    const answer = await fetchAs(auth, "local", {})(metadata.userinfo_endpoint, { cache: "no-store" });
    if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`);
    return await answer.json();
  } catch (error) {
    if (error instanceof ReauthRequired) return null;
    throw error;
  }
}
