import type { SessionInfo, Tools } from "@cardea/core/extend";
import { type Device, readDevice } from "./device.ts";
import { registerOf } from "./session-register.ts";

/** A session as its user, or an administrator, sees it. It holds nothing that signs in. */
export interface ListedSession {
  /** Public id. */
  readonly id: string;
  readonly createdAt: Date;
  /** When it was last renewed: reading a session writes nothing. */
  readonly seenAt: Date;
  readonly expires: Date;
  readonly device: Device;
  /** Truncated; null where none is recorded. */
  readonly ip: string | null;
  /** Id of the provider that the user signed in with. */
  readonly provider: string;
  /** Proofs that the user gave, such as `pwd` or `otp`. */
  readonly factors: readonly string[];
}

/** The recorded sessions of a user that go on. */
export async function liveInfos(t: Tools, userId: string): Promise<readonly SessionInfo[]> {
  const { known } = registerOf(t);
  const infos = await t.listSessions(userId);
  return infos.filter(({ id, epoch, endedAt }) => !endedAt && known.whyOf(id, undefined, userId, epoch) === undefined);
}

/** The sessions of a user, the one that was active last first. */
export async function listSessions(t: Tools, userId: string): Promise<readonly ListedSession[]> {
  const infos = await liveInfos(t, userId);
  return infos
    .map(({ id, createdAt, seenAt, expires, userAgent, ip, provider, factors }) => ({
      id,
      createdAt,
      seenAt,
      expires,
      device: readDevice(userAgent),
      ip: ip ?? null,
      provider,
      factors: factors.map(({ m }) => m),
    }))
    .sort((one, other) => other.seenAt.getTime() - one.seenAt.getTime());
}
