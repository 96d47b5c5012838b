/** Responses for the tests of VK, for invented users. Test-only. */

/** The required fields. */
export const MINIMAL = {
  id: 1815,
  first_name: "Ada",
  last_name: "Lovelace",
  can_access_closed: true,
  is_closed: false,
  photo_100: "https://sun1.userapi.example/ada-100.jpg",
};

const FLAGS = {
  ...{ blacklisted: 0, blacklisted_by_me: 0, can_post: 1, can_see_all_posts: 1, can_see_audio: 1, online: 1 },
  ...{ can_send_friend_request: 0, can_write_private_message: 1, has_mobile: 1, has_photo: 1, is_favorite: 0 },
  ...{ is_friend: 1, is_hidden_from_feed: 0, is_no_index: 0, online_mobile: 1, trending: 0, verified: 1 },
};

const TEXTS = {
  ...{ about: "a", activities: "a", bdate: "10.12.1815", books: "a", deactivated: "", domain: "ada", games: "a" },
  ...{ email: "ada.of.profile@example.com", home_town: "London", interests: "a", maiden_name: "Byron", movies: "a" },
  ...{ music: "a", nickname: "", photo_200: "a", photo_200_orig: "a", photo_400: "a", photo_400_orig: "a" },
  ...{ photo_50: "a", photo_id: "1_1", photo_max: "a", photo_max_orig: "a", quotes: "a", screen_name: "ada" },
  ...{ site: "a", status: "a", tv: "a" },
  ...{ first_name_abl: "a", first_name_acc: "a", first_name_dat: "a", first_name_gen: "a", first_name_ins: "a" },
  ...{ first_name_nom: "a", last_name_abl: "a", last_name_acc: "a", last_name_dat: "a", last_name_gen: "a" },
  ...{ last_name_ins: "a", last_name_nom: "a" },
};

const PHOTO = {
  ...{ album_id: 1, date: 1, has_tags: false, id: 1, owner_id: 1815, access_key: "a", can_comment: 1, height: 1 },
  ...{ lat: 51.5, long: -0.1, photo_256: "a", place: "a", post_id: 1, text: "a", user_id: 1815, width: 1 },
  images: [{ height: 1, width: 1, url: "a", type: "w" }],
  sizes: [{ height: 1, width: 1, src: "a", url: "a", type: "temp" }],
};

/** Every field of the user object of VK API 5.126. */
export const FULL = {
  ...MINIMAL,
  ...FLAGS,
  ...TEXTS,
  ...{ common_count: 1, followers_count: 1, online_app: 1, timezone: 0 },
  ...{ friend_status: 3, sex: 1, relation: 4, wall_default: "all" },
  career: {
    city_id: 1,
    city_name: "a",
    company: "a",
    country_id: 1,
    from: 1842,
    group_id: 1,
    position: "a",
    until: 1843,
  },
  city: { id: 1, title: "London" },
  country: { id: 1, title: "England" },
  connections: { facebook: "a", instagram: "a", livejournal: "a", skype: "a", twitter: "a" },
  contacts: { home_phone: "1", mobile_phone: "2" },
  counters: {
    ...{ albums: 1, audios: 1, followers: 1, friends: 1, groups: 1, mutual_friends: 1, notes: 1, online_friends: 1 },
    ...{ pages: 1, photos: 1, user_videos: 1, videos: 1 },
  },
  crop_photo: { crop: { x: 0, x2: 100, y: 0, y2: 100 }, rect: { x: 0, x2: 50, y: 0, y2: 50 }, photo: PHOTO },
  education: { faculty: 1, faculty_name: "a", graduation: 1840, university: 1, university_name: "a" },
  exports: { facebook: 1, instagram: 1, livejournal: 1, twitter: 1 },
  last_seen: { platform: 7, time: 1 },
  military: { country_id: 1, from: 1, unit: "a", unit_id: 1, until: 1 },
  occupation: { id: 1, name: "a", type: "university" },
  personal: {
    ...{ alcohol: 1, inspired_by: "a", langs: ["English"], life_main: 8, people_main: 6, political: 9, religion: "a" },
    smoking: 5,
  },
  relation_partner: {
    ...{ can_access_closed: true, deactivated: "", first_name: "William", hidden: 0, id: 2, is_closed: true },
    last_name: "King",
  },
  relatives: [{ id: 3, name: "Byron", type: "child" }],
  schools: [
    {
      ...{ city: 1, class: "a", country: 1, id: "1", name: "a", speciality: "a", type: 1, type_str: "a" },
      ...{ year_from: 1820, year_graduated: 1830, year_to: 1830 },
    },
  ],
  status_audio: {
    ...{ access_key: "a", album_id: 1, artist: "a", date: 1, duration: 1, genre_id: 1, id: 1, owner_id: 1 },
    ...{ performer: "a", title: "a", url: "a" },
  },
  universities: [
    {
      ...{ chair: 1, chair_name: "a", city: 1, country: 1, education_form: "a", education_status: "a", faculty: 1 },
      ...{ faculty_name: "a", graduation: 1840, id: 1, name: "a", university_group_id: 1 },
    },
  ],
};
