export const runtime = "edge";
export { GET, POST } from "@/lib/rows";
