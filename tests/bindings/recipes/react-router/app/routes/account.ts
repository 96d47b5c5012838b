import { type LoaderFunctionArgs, redirect } from "react-router";
import { sessionContext } from "../auth.server.ts";

export function loader({ context }: LoaderFunctionArgs) {
  const session = context.get(sessionContext);
  if (session === null) throw redirect("/auth/signin?callbackUrl=/account");
  return { name: session.user?.name };
}
