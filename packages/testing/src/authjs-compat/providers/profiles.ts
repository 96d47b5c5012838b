/** What the providers of @auth/core say of a person, where it is not shaped like a set of standard claims. Test-only. */
import type { JsonObject } from "../../scripted-provider/json.ts";

const name = "Ada Lovelace";
const email = "ada@example.com";
const image = "https://cdn.example.com/ada.png";

/** What a provider answers with unless it is listed below. The person's id is 1815 everywhere. */
export const STANDARD_PROFILE: JsonObject = {
  id: "1815",
  sub: "1815",
  name,
  email,
  email_verified: true,
  picture: image,
};

/** By provider id. */
export const PROFILES: Readonly<Record<string, JsonObject>> = {
  "42-school": { id: 1815, usual_full_name: name, email, image: { link: image } },
  atlassian: { account_id: "1815", name, email, picture: image },
  "azure-devops": {
    id: "1815",
    displayName: name,
    emailAddress: email,
    coreAttributes: { Avatar: { value: { value: "AA" } } },
  },
  bitbucket: { account_id: "1815", display_name: name, links: { avatar: { href: image } } },
  box: { id: "1815", name, login: email, avatar_url: image },
  bungie: { Response: { bungieNetUser: { membershipId: "1815", displayName: name, profilePicturePath: "/ada.png" } } },
  "click-up": { user: { id: 1815, username: name, profilePicture: image, color: "#000" } },
  coinbase: { data: { id: "1815", name, email, avatar_url: image } },
  concept2: { data: { id: 1815, username: name, email, profile_image: image } },
  discord: { id: "1815", username: "ada", global_name: name, discriminator: "0", avatar: null, email },
  dribbble: { id: 1815, name, email, avatar_url: image },
  dropbox: { account_id: "1815", name: { display_name: name }, email, profile_photo_url: image },
  eventbrite: { id: "1815", name, emails: [{ email, primary: true }], image_id: "1" },
  eveonline: { CharacterID: 1815, CharacterName: name },
  facebook: { id: "1815", name, email, picture: { data: { url: image } } },
  faceit: { guid: "1815", name, email, picture: image },
  foursquare: { response: { user: { id: "1815", firstName: "Ada", lastName: "Lovelace", contact: { email } } } },
  freshbooks: { response: { id: "1815", first_name: "Ada", last_name: "Lovelace", email } },
  github: { id: 1815, login: "ada", name, email, avatar_url: image },
  hubspot: { user_id: 1815, user: email },
  kakao: { id: 1815, kakao_account: { profile: { nickname: name, profile_image_url: image }, email } },
  mailchimp: { login: { login_id: 1815, email }, accountname: name },
  medium: { data: { id: "1815", name, imageUrl: image } },
  naver: { response: { id: "1815", nickname: name, email, profile_image: image } },
  netsuite: { id: 1815, name, email },
  nextcloud: { ocs: { data: { id: "1815", displayname: name, email } } },
  notion: { bot: { owner: { user: { id: "1815", name, avatar_url: image, person: { email } } } } },
  osu: { id: 1815, username: name, avatar_url: image },
  patreon: { data: { id: "1815", attributes: { full_name: name, email, image_url: image } } },
  pinterest: { username: "1815", profile_image: image },
  pipedrive: { data: { id: 1815, name, email, icon_url: image } },
  threads: { data: { id: "1815", username: name, threads_profile_picture_url: image } },
  tiktok: { data: { user: { open_id: "1815", display_name: name, avatar_url: image } }, error: { code: "ok" } },
  todoist: { user: { id: "1815", email, full_name: name, avatar_big: image } },
  trakt: { ids: { slug: "1815" }, name, images: { avatar: { full: image } } },
  twitter: { data: { id: "1815", name, profile_image_url: image } },
  vk: { response: [{ id: 1815, first_name: "Ada", last_name: "Lovelace", photo_100: image }] },
  webex: { id: "1815", emails: [email], displayName: name, avatar: image },
  wechat: { unionid: "1815", nickname: name, headimgurl: image },
  wordpress: { ID: 1815, display_name: name, email, avatar_URL: image },
  workos: { id: "1815", first_name: "Ada", last_name: "Lovelace", email, raw_attributes: { picture: image } },
  zoho: { ZUID: 1815, First_Name: "Ada", Last_Name: "Lovelace", Email: email },
};
