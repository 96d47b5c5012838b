export { GET, POST } from "@/lib/rows";
