import { journeys } from "@/lib/journeys";

export default async function Page() {
  const session = await journeys.auth();
  return <b>{session?.user?.name ?? "visitor"}</b>;
}
