import { openStore } from "../../examples/express/src/store.ts";
import { runWorker } from "./replay-worker.ts";

const [url = "", offset = "0"] = process.argv.slice(2);
const { store } = await openStore(url);
runWorker(store, Number(offset));
