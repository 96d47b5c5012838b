import * as z from "zod/mini";
import {
  career,
  education,
  military,
  occupation,
  personal,
  relationPartner,
  relative,
  school,
  university,
} from "./vk-life.ts";
import { cropPhoto } from "./vk-photo.ts";

const text = z.optional(z.string());
const number = z.optional(z.number());
const flag = z.optional(z.literal([0, 1]));
const place = z.optional(z.looseObject({ id: z.number(), title: z.string() }));

/** The name in the six cases of Russian: ablative, accusative, dative, genitive, instrumental, nominative. */
const nameCases = {
  first_name_abl: text,
  first_name_acc: text,
  first_name_dat: text,
  first_name_gen: text,
  first_name_ins: text,
  first_name_nom: text,
  last_name_abl: text,
  last_name_acc: text,
  last_name_dat: text,
  last_name_gen: text,
  last_name_ins: text,
  last_name_nom: text,
};

const flags = {
  blacklisted: flag,
  blacklisted_by_me: flag,
  can_post: flag,
  can_see_all_posts: flag,
  can_see_audio: flag,
  can_send_friend_request: flag,
  can_write_private_message: flag,
  has_mobile: flag,
  has_photo: flag,
  is_favorite: flag,
  is_friend: flag,
  is_hidden_from_feed: flag,
  is_no_index: flag,
  online: flag,
  online_mobile: flag,
  trending: flag,
  verified: flag,
};

const texts = {
  about: text,
  activities: text,
  bdate: text,
  books: text,
  deactivated: text,
  domain: text,
  email: text,
  games: text,
  home_town: text,
  interests: text,
  maiden_name: text,
  movies: text,
  music: text,
  nickname: text,
  photo_200: text,
  photo_200_orig: text,
  photo_400: text,
  photo_400_orig: text,
  photo_50: text,
  photo_id: text,
  photo_max: text,
  photo_max_orig: text,
  quotes: text,
  screen_name: text,
  site: text,
  status: text,
  tv: text,
};

const counters = z.looseObject({
  albums: number,
  audios: number,
  followers: number,
  friends: number,
  groups: number,
  mutual_friends: number,
  notes: number,
  online_friends: number,
  pages: number,
  photos: number,
  user_videos: number,
  videos: number,
});

const statusAudio = z.looseObject({
  access_key: text,
  album_id: number,
  artist: z.string(),
  date: number,
  duration: z.number(),
  genre_id: number,
  id: z.number(),
  owner_id: z.number(),
  performer: text,
  title: z.string(),
  url: text,
});

const profile = z.looseObject({
  id: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  can_access_closed: z.boolean(),
  is_closed: z.boolean(),
  photo_100: z.string(),
  ...flags,
  ...texts,
  ...nameCases,
  career: z.optional(career),
  city: place,
  common_count: number,
  connections: z.optional(
    z.looseObject({ facebook: text, instagram: text, livejournal: text, skype: text, twitter: text }),
  ),
  contacts: z.optional(z.looseObject({ home_phone: text, mobile_phone: text })),
  counters: z.optional(counters),
  country: place,
  crop_photo: z.optional(cropPhoto),
  education: z.optional(education),
  exports: z.optional(z.looseObject({ facebook: number, instagram: number, livejournal: number, twitter: number })),
  followers_count: number,
  friend_status: z.optional(z.literal([0, 1, 2, 3])),
  last_seen: z.optional(z.looseObject({ platform: z.optional(z.literal([1, 2, 3, 4, 5, 6, 7])), time: number })),
  military: z.optional(military),
  occupation: z.optional(occupation),
  online_app: number,
  personal: z.optional(personal),
  relation: z.optional(z.literal([0, 1, 2, 3, 4, 5, 6, 7, 8])),
  relation_partner: z.optional(relationPartner),
  relatives: z.optional(z.array(relative)),
  schools: z.optional(z.array(school)),
  sex: z.optional(z.literal([0, 1, 2])),
  status_audio: z.optional(statusAudio),
  timezone: number,
  universities: z.optional(z.array(university)),
  wall_default: z.optional(z.enum(["all", "owner"])),
});

/** The user information that VK returns: the single entry of the `users.get` response. */
export type VKProfile = z.infer<typeof profile>;

/** Which fields are present depends on the request, and on what the user allows. */
const granted = z.extend(z.partial(profile), { id: z.number() });

/**
 * Reads a user. Only the id is required; unknown fields are accepted.
 *
 * @throws TypeError naming the first invalid member.
 */
export function parseVKProfile(person: unknown) {
  const result = granted.safeParse(person);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new TypeError(`${issue?.path.join(".") || "the profile"}: ${issue?.message}`);
}

const list = z.looseObject({ response: z.array(z.looseObject({})).check(z.minLength(1)) });
const failure = z.looseObject({ error: z.looseObject({ error_code: z.number(), error_msg: z.string() }) });

/**
 * Takes the user out of the list that VK's API returns; any other value is returned unchanged.
 *
 * @throws Error naming VK's error code and message.
 */
export function unwrapVKAnswer(answer: unknown): unknown {
  const failed = failure.safeParse(answer);
  if (failed.success) {
    const { error_code, error_msg } = failed.data.error;
    throw new Error(`VK returned the error ${error_code}: ${error_msg}`);
  }
  const people = list.safeParse(answer);
  return people.success ? people.data.response[0] : answer;
}
