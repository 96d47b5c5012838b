import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { askForConsent } from "@/app/actions";
import { auth } from "@/auth";
import { readProfile } from "@/lib/profile";

export const metadata: Metadata = { title: "At the provider" };

export default async function Page() {
  if ((await auth()) === null) redirect("/sign-in?callbackUrl=/members/provider");
  const profile = await readProfile();
  return (
    <div className="columns">
      <section className="card wide" aria-labelledby="profile">
        <h2 id="profile">You at Local Provider</h2>
        {profile === null ? (
          <form action={askForConsent}>
            <p>The provider has to be asked whether the application may read your data there.</p>
            <button type="submit" className="button">
              Ask Local Provider
            </button>
          </form>
        ) : (
          <>
            <p>The application asked the provider’s API just now, with an access token that never left the server:</p>
            <pre>
              <code>{JSON.stringify(profile, null, 2)}</code>
            </pre>
          </>
        )}
      </section>
    </div>
  );
}
