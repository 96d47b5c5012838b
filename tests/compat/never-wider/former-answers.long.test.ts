// The recorded answers are those of the real former libraries.
import { beforeAll, describe, expect, it, vi } from "vitest";
import { SECRET } from "./ask-application.ts";
import { askFormerLibrary } from "./ask-former-library.ts";
import { shortCases } from "./cases.ts";
import { keyOf, RECORD, recordOf } from "./recorded-answers.ts";

beforeAll(() => {
  vi.stubEnv("AUTH_SECRET", SECRET);
  vi.stubEnv("NEXTAUTH_SECRET", SECRET);
  vi.stubEnv("NEXTAUTH_URL", undefined);
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
});

describe("recordedAnswers()", () => {
  it("gives what the former libraries answer", async () => {
    const record: Record<string, string> = {};
    for (const one of shortCases()) record[keyOf(one)] = recordOf(one, await askFormerLibrary(one));
    await expect(`${JSON.stringify(record, undefined, 2)}\n`).toMatchFileSnapshot(RECORD);
  });
});
