export const GET = () => new Response("open");
