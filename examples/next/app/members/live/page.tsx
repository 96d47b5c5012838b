import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { auth } from "@/auth";
import { LiveSession } from "./live-session";

export const metadata: Metadata = { title: "Live" };

export default async function Page() {
  if ((await auth()) === null) redirect("/sign-in?callbackUrl=/members/live");
  return <LiveSession />;
}
