import type { NextApiRequest, NextApiResponse } from "next";
import { auth, type MemberSession } from "@/auth";

/** An API route: who is asking? */
export default async function handler(req: NextApiRequest, res: NextApiResponse<MemberSession | null>) {
  const session = await auth(req, res);
  res.status(session === null ? 401 : 200).json(session);
}
