import * as z from "zod/mini";

const text = z.optional(z.string());
const number = z.optional(z.number());

/** Types of a photo's images: copies cropped and scaled. */
const imageTypes = ["p", "q", "s", "r", "x", "y", "m", "l", "o", "z", "w"] as const;

/** Types of a photo's sizes, those of other media included. */
const sizeTypes = [
  ...["max", "k", "a", "b", "i", "p", "q", "s", "g", "d", "r", "x", "y", "m", "l", "o", "z", "w"],
  ...["c", "e", "j", "temp", "h", "n", "f"],
] as const;

const photo = z.looseObject({
  album_id: z.number(),
  date: z.number(),
  has_tags: z.boolean(),
  id: z.number(),
  owner_id: z.number(),
  access_key: text,
  can_comment: z.optional(z.literal([0, 1])),
  height: number,
  images: z.optional(
    z.array(z.looseObject({ height: number, width: number, url: text, type: z.optional(z.enum(imageTypes)) })),
  ),
  lat: number,
  long: number,
  photo_256: text,
  place: text,
  post_id: number,
  sizes: z.optional(
    z.array(
      z.looseObject({ height: number, width: number, src: text, url: text, type: z.optional(z.enum(sizeTypes)) }),
    ),
  ),
  text,
  user_id: number,
  width: number,
});

/** A corner of the photo, in percent of its width and height. */
const area = z.looseObject({ x: number, x2: number, y: number, y2: number });

/** The photo that the profile photo was cut from, and where. */
export const cropPhoto = z.looseObject({
  crop: z.optional(area),
  photo: z.optional(photo),
  rect: z.optional(area),
});
