import type { NextApiRequest, NextApiResponse } from "next";
import { broken } from "@/lib/auth";

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  res.json(["SECRET", await broken.auth(req, res)]);
}
