import { broken } from "@/lib/auth";

export default async function Page() {
  return <p>{`SECRET ${JSON.stringify(await broken.auth())}`}</p>;
}
