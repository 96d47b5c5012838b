import { Components } from "@/lib/components";

export const runtime = "edge";
export default Components;
