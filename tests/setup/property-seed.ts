import fc from "fast-check";
import { isLong } from "../../packages/testing/src/long-form.ts";

// The same cases at every run, so that a change alone decides whether the tests pass: fifty for each property that names no other number.
// `npm run test:all` runs more of them, chooses another seed each time, and prints it.
fc.configureGlobal({ seed: Number(process.env.CARDEA_TEST_SEED ?? 1), numRuns: isLong ? 200 : 50 });
