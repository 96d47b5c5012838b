const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

export function GET({ cookies }) {
  cookies.set("theirs", "1", { path: "/" });
  cookies.set("other", "2", { path: "/" });
  const parts = ["first\n", "last\n"];
  const body = new ReadableStream({
    pull: async (controller) => {
      await pause();
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
  return new Response(body);
}
