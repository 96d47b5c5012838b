import type { SessionInfo, Tools } from "@cardea/extend";
import { type Device, readDevice } from "./device.ts";
import { registerOf } from "./session-register.ts";

/** A session as shown to its user or to an administrator. Contains no credentials. */
export interface ListedSession {
  /** Public id. */
  readonly id: string;
  /** When the user signed in. */
  readonly createdAt: Date;
  /** When it was last renewed. Reading a session does not update this. */
  readonly seenAt: Date;
  /** When it expires unless it is renewed. */
  readonly expires: Date;
  /** Browser and operating system, according to the `User-Agent`. */
  readonly device: Device;
  /** Truncated IP address; null if none is recorded. */
  readonly ip: string | null;
  /** Id of the provider that the user signed in with. */
  readonly provider: string;
  /** Authentication methods that the user completed, such as `pwd` or `otp`. */
  readonly factors: readonly string[];
}

/** The recorded, active sessions of a user. */
export async function liveInfos(t: Tools, userId: string): Promise<readonly SessionInfo[]> {
  const { known } = registerOf(t);
  const infos = await t.listSessions(userId);
  return infos.filter(({ id, epoch }) => known.whyOf(id, undefined, userId, epoch) === undefined);
}

/** The sessions of a user, most recently active first. */
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
