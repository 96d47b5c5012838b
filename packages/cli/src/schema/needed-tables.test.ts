// What the packages say they need, against what the command says of them.
import { attempts } from "@cardea/attempts";
import type { Extension } from "@cardea/extend";
import { logout } from "@cardea/logout";
import { recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { describe, expect, it } from "vitest";
import { factsOf } from "../doctor/collect-facts.ts";
import { importedFrom } from "./imported-from.ts";
import { neededTables } from "./needed-tables.ts";

const extensions: Readonly<Record<string, Extension>> = {
  "@cardea/attempts": attempts(),
  "@cardea/logout": logout({ backchannel: true }),
  "@cardea/second-factor": secondFactor({ factors: [totp({ issuer: "Acme" }), recoveryCodes()] }),
  "@cardea/sessions": sessions(),
};

describe("neededTables()", () => {
  it.each(Object.entries(extensions))("knows what %s needs", (from, { needs }) => {
    const text = `import { createAuth } from "@cardea/core";\nimport { it } from "${from}";\ncreateAuth({ providers: [], extensions: [it()] });\n`;
    const { configurations } = factsOf({ files: new Map([["/auth.ts", text]]), env: {} });
    const names = neededTables(configurations, importedFrom).map(({ name }) => name);
    const expected = [
      ...(needs?.sessionInfo === true || needs?.extensions?.includes("sessions") ? ["SessionInfo"] : []),
      ...(needs?.adapter?.includes("createCredential") ? ["Credential"] : []),
      ...(needs?.store === undefined ? [] : ["State", "StateLog"]),
    ];
    expect(names).toEqual(["User", "Account", "Session", ...expected]);
  });
});
