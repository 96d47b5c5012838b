import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";
import { handlers } from "../auth.server.ts";

export const loader = ({ request }: LoaderFunctionArgs) => handlers.GET(request);
export const action = ({ request }: ActionFunctionArgs) => handlers.POST(request);
