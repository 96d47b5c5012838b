import { Components } from "@/lib/components";

export default Components;
