import { auth } from "@/auth";
import { level } from "@/lib/levels";

/** What a user sends, and confirms: the same for both. */
async function orderOf(request: Request) {
  const { amount, to }: { readonly amount?: unknown; readonly to?: unknown } = Object(await request.json());
  return { "amount in euros": Number(amount), to: String(to) };
}

/** A transfer that a passkey signs. */
export const POST = level.guard(
  auth,
  "money",
  async (request) => {
    const { "amount in euros": amount, to } = await orderOf(request);
    return Response.json({ message: `You sent €${amount} to ${to}.` });
  },
  { bind: orderOf },
);
