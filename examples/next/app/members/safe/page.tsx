import type { Metadata } from "next";
import { auth } from "@/auth";
import { level } from "@/lib/levels";

export const metadata: Metadata = { title: "The safe" };

export default async function Page() {
  // Here as well: a user who types the address has not pressed the button.
  await level.require(auth, "safe", { callbackUrl: "/members/safe" });
  return (
    <section className="card" aria-labelledby="safe">
      <h2 id="safe">The safe</h2>
      <p>You proved that it’s you within the last five minutes.</p>
    </section>
  );
}
