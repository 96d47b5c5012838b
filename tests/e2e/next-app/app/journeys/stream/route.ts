const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

export const dynamic = "force-dynamic";

export function GET(): Response {
  const parts = ["first\n", "last\n"].map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await pause();
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
  const response = new Response(body);
  for (const line of ["theirs=1", "other=2"]) response.headers.append("set-cookie", line);
  return response;
}
