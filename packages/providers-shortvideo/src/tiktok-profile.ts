import * as z from "zod/mini";

const text = z.string();
const count = z.number();

/** The user; each field is present only if the profile request names it. */
const user = z.looseObject({
  /** Profile image. */
  avatar_url: text,
  /** Profile image, 100 by 100 pixels. */
  avatar_url_100: z.optional(text),
  /** Profile image, higher resolution. */
  avatar_large_url: z.optional(text),
  bio_description: z.optional(text),
  display_name: text,
  /** Never present: TikTok does not provide e-mail addresses. */
  email: z.optional(text),
  follower_count: z.optional(count),
  following_count: z.optional(count),
  is_verified: z.optional(z.boolean()),
  /** Likes across all videos. */
  likes_count: z.optional(count),
  /** The user's id for this application. */
  open_id: text,
  profile_deep_link: z.optional(text),
  /** The user's id across the applications of one developer. */
  union_id: z.optional(text),
  username: text,
  /** Public videos. */
  video_count: z.optional(count),
});

const error = z.looseObject({ code: text, log_id: text, message: text });
const profile = z.looseObject({ data: z.looseObject({ user }), error });

/** The user information that TikTok returns: the response of its profile request. */
export type TikTokProfile = z.infer<typeof profile>;

/** The fields that a profile request can name in `fields`. */
export type TikTokField = Exclude<keyof typeof user.shape, "email">;

/** Which fields are present depends on the request, and on what the user allowed. */
const granted = z.looseObject({ data: z.looseObject({ user: z.extend(z.partial(user), { open_id: text }) }) });

/**
 * Reads the response of the profile request. Only the id is required; unknown fields are accepted.
 *
 * @throws Error naming TikTok's code and log id, or TypeError naming the first invalid member.
 */
export function parseTikTokAnswer(answer: unknown) {
  requireOk(answer);
  const result = granted.safeParse(answer);
  if (result.success) return result.data.data.user;
  const [issue] = result.error.issues;
  throw new TypeError(`${issue?.path.join(".")}: ${issue?.message}`);
}

/** A response with any status reports an error if its code is not `ok`. */
export function requireOk(answer: unknown): void {
  const envelope = z.looseObject({ error: z.partial(error) }).safeParse(answer);
  if (!envelope.success) return;
  const { code = "ok", log_id, message } = envelope.data.error;
  if (code !== "ok") throw new Error(`TikTok returned the error ${code} (log_id ${log_id}): ${message}`);
}
