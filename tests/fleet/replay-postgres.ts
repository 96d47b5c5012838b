import { openDatabase } from "../../examples/express/src/database.ts";
import { runWorker } from "./replay-worker.ts";

const [url = "", offset = "0"] = process.argv.slice(2);
const { store } = (await openDatabase(url)).adapter;
if (store === undefined) throw new Error("The adapter has no store.");
runWorker(store, Number(offset));
