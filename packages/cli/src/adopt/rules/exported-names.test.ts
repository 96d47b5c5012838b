import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(text: string) {
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "4.24.7" } });
  const files = new Map([
    ["/package.json", manifest],
    ["/types.ts", text],
  ]);
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind }) => kind === "left").map(({ line, what }) => `${line} ${what}`);
  return { text: result.files.get("/types.ts") ?? text, left };
}

describe("moveNames()", () => {
  it.each([
    [
      'import type { GithubProfile } from "next-auth/providers/github";',
      'import type { GitHubProfile as GithubProfile } from "@cardea/providers-github";',
    ],
    [
      'import X, { type TwitterProfile as Profile } from "next-auth/providers/twitter";',
      'import X, { type XProfile as Profile } from "@cardea/providers-x";',
    ],
    [
      'export type { LineProfile } from "next-auth/providers/line";',
      'export type { LINEProfile as LineProfile } from "@cardea/providers-line";',
    ],
    [
      'type A = import("next-auth/providers/azure-ad").AzureADProfile;',
      'type A = import("@cardea/providers-microsoft-entra-id").MicrosoftEntraIDProfile;',
    ],
    [
      'import type * as Z from "next-auth/providers/zitadel";\nexport type A = Z.ZitadelProfile;',
      'import type * as Z from "@cardea/providers-zitadel";\nexport type A = Z.ZITADELProfile;',
    ],
    [
      'import type { SendVerificationRequestParams } from "next-auth/providers";',
      'import type { VerificationRequest as SendVerificationRequestParams } from "@cardea/core/providers";',
    ],
  ])("renames a type that has another name: %s", (before, after) => {
    expect(move(`${before}\n`)).toEqual({ text: `${after}\n`, left: [] });
  });

  it.each([
    [
      'import type { GithubEmail } from "next-auth/providers/github";',
      "`GithubEmail` is not exported by @cardea/providers-github",
    ],
    [
      'import { type SpotifyImage as Image } from "next-auth/providers/spotify";',
      "`SpotifyImage` is not exported by @cardea/providers-spotify",
    ],
    ['export type { EventType } from "next-auth";', "`EventType` is not exported by @cardea/next"],
    ['export type { ISODateString } from "next-auth";', "`ISODateString` is not exported by @cardea/next"],
    ['type A = import("next-auth/jwt").Secret;', "`Secret` is not exported by @cardea/next/jwt"],
  ])("reports a name that is not exported: %s", (before, what) => {
    expect(move(`${before}\n`).left).toEqual([`1 ${what}`]);
  });
});
