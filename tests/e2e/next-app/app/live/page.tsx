import { Live } from "@/lib/live";

export default function Page() {
  return <Live />;
}
