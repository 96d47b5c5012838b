import { describe, expect, it } from "vitest";
import { VK, type VKOptions, type VKProfile } from "./index.ts";
import { FULL, MINIMAL } from "./vk-people.ts";
import { parseVKProfile } from "./vk-profile.ts";

/** What `profile()` makes of an answer. */
async function map(answer: unknown, tokens = {}): Promise<unknown> {
  return VK().profile?.(parseProfile(answer), tokens);
}

function parseProfile(answer: unknown): VKProfile {
  return answer as VKProfile;
}

/** The endpoints as the options have them. */
function endpoints(options: VKOptions): unknown[] {
  const { authorization, token, userinfo } = VK(options);
  return [authorization, token, userinfo].map((endpoint) => Object(endpoint).url);
}

describe("the answer of the profile request", () => {
  it("spec 2.12 may have every field", async () => {
    expect(await map({ response: [FULL] })).toEqual({
      id: "1815",
      name: "Ada Lovelace",
      email: "ada.of.profile@example.com",
      image: MINIMAL.photo_100,
    });
  });

  it("may have the required fields only, and be the person without the list", async () => {
    expect(await map(MINIMAL)).toEqual({ id: "1815", name: "Ada Lovelace", email: null, image: MINIMAL.photo_100 });
  });

  it("may have fields that no one knows", async () => {
    expect(await map({ ...MINIMAL, star_sign: "Sagittarius" })).toMatchObject({ id: "1815" });
  });

  it("goes with the e-mail address of the token answer", async () => {
    expect(await map(MINIMAL, { email: "ada@example.com" })).toMatchObject({ email: "ada@example.com" });
    expect(await map(MINIMAL, { email: 7 })).toMatchObject({ email: null });
  });

  it("needs the id alone", async () => {
    const { id, ...rest } = MINIMAL;
    await expect(map(rest)).rejects.toThrow(/^id: /);
    expect(await map({ id })).toEqual({ id: "1815", name: null, email: null, image: null });
  });

  it.each([
    ["id", { id: "1815" }],
    ["online", { online: 2 }],
    ["friend_status", { friend_status: 4 }],
    ["sex", { sex: 3 }],
    ["relation", { relation: 9 }],
    ["wall_default", { wall_default: "unknown" }],
    ["about", { about: null }],
    ["first_name_abl", { first_name_abl: 1 }],
    ["timezone", { timezone: "3" }],
    ["city.title", { city: { id: 1 } }],
    ["country.id", { country: { title: "Russia" } }],
    ["career.from", { career: { from: "1842" } }],
    ["connections.skype", { connections: { skype: 1 } }],
    ["contacts.home_phone", { contacts: { home_phone: 1 } }],
    ["counters.videos", { counters: { videos: "1" } }],
    ["education.faculty", { education: { faculty: "1" } }],
    ["exports.twitter", { exports: { twitter: true } }],
    ["last_seen.platform", { last_seen: { platform: 8 } }],
    ["military.unit_id", { military: { country_id: 1, unit: "1" } }],
    ["occupation.type", { occupation: { type: "leisure" } }],
    ["personal.political", { personal: { political: 10 } }],
    ["personal.langs.1", { personal: { langs: ["English", 7] } }],
    ["relation_partner.last_name", { relation_partner: { id: 1, first_name: "William" } }],
    ["status_audio.title", { status_audio: { artist: "A", duration: 1, id: 1, owner_id: 1 } }],
    ["crop_photo.rect.y2", { crop_photo: { rect: { y2: "1" } } }],
    ["crop_photo.photo.sizes.0.type", { crop_photo: { photo: { ...FULL.crop_photo.photo, sizes: [{ type: "zz" }] } } }],
    [
      "crop_photo.photo.images.0.type",
      { crop_photo: { photo: { ...FULL.crop_photo.photo, images: [{ type: "max" }] } } },
    ],
    ["relatives.0.type", { relatives: [{ type: "cousin" }] }],
    ["schools.0.id", { schools: [{ id: 1 }] }],
    ["universities.0.name", { universities: [{ name: 1 }] }],
  ])("that does not fit is an error naming %s", async (path, change) => {
    await expect(map({ response: [{ ...MINIMAL, ...change }] })).rejects.toThrow(`${path}: `);
  });

  it("that reports an error is one, with its code", async () => {
    const error = { error_code: 5, error_msg: "User authorization failed: invalid access_token (4)." };
    await expect(map({ error })).rejects.toThrow("VK returned the error 5: User authorization failed");
  });

  it.each([{ response: [] }, {}, null, "text"])("is refused when it is %j", async (answer) => {
    await expect(map(answer)).rejects.toThrow(TypeError);
  });
});

describe("parseVKProfile()", () => {
  it("returns every field as it came", () => {
    expect(parseVKProfile(FULL)).toEqual(FULL);
  });
});

describe("the version of the API", () => {
  it("is 5.126", () => {
    expect(endpoints({})).toEqual([
      "https://oauth.vk.com/authorize?response_type=code&v=5.126",
      "https://oauth.vk.com/access_token?v=5.126",
      "https://api.vk.com/method/users.get?fields=photo_100&v=5.126",
    ]);
  });

  it("is another by `apiVersion`", () => {
    expect(endpoints({ apiVersion: "5.199" })).toEqual([
      "https://oauth.vk.com/authorize?response_type=code&v=5.199",
      "https://oauth.vk.com/access_token?v=5.199",
      "https://api.vk.com/method/users.get?fields=photo_100&v=5.199",
    ]);
  });

  it("is another by URLs that carry it (spec 9.6)", () => {
    const urls = {
      accessTokenUrl: "https://oauth.vk.com/access_token?v=5.131",
      requestTokenUrl: "https://oauth.vk.com/access_token?v=5.131",
      authorizationUrl: "https://oauth.vk.com/authorize?response_type=code&v=5.131",
      profileUrl: "https://api.vk.com/method/users.get?fields=photo_100&v=5.131",
    };
    expect(endpoints(urls)).toEqual([urls.authorizationUrl, urls.accessTokenUrl, urls.profileUrl]);
    const { requestTokenUrl } = urls;
    expect(endpoints({ requestTokenUrl })[1]).toBe(requestTokenUrl);
  });
});
