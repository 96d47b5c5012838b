import { loadLogger } from "../../packages/core/src/log/late-logger.ts";

// The first line of a process is written when the logger has been loaded. In tests every line is written at once; what the first one does
// is tested in late-logger.test.ts.
await loadLogger();
