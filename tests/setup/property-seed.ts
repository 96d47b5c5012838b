import fc from "fast-check";

// The same cases at every run, so that a change alone decides whether the tests pass. `npm run test:all` chooses another
// seed each time, and prints it.
fc.configureGlobal({ seed: Number(process.env.CARDEA_TEST_SEED ?? 1) });
