import * as z from "zod/mini";

const text = z.optional(z.string());
const number = z.optional(z.number());

/** Places, education, work and relationships of the user. */

export const career = z.looseObject({
  city_id: number,
  city_name: text,
  company: text,
  country_id: number,
  from: number,
  group_id: number,
  position: text,
  until: number,
});

export const education = z.looseObject({
  faculty: number,
  faculty_name: text,
  graduation: number,
  university: number,
  university_name: text,
});

export const military = z.looseObject({
  country_id: z.number(),
  from: number,
  unit: z.string(),
  unit_id: z.number(),
  until: number,
});

export const occupation = z.looseObject({
  id: number,
  name: text,
  type: z.optional(z.enum(["work", "school", "university"])),
});

export const personal = z.looseObject({
  alcohol: z.optional(z.literal([1, 2, 3, 4, 5])),
  inspired_by: text,
  langs: z.optional(z.array(z.string())),
  life_main: z.optional(z.literal([1, 2, 3, 4, 5, 6, 7, 8])),
  people_main: z.optional(z.literal([1, 2, 3, 4, 5, 6])),
  political: z.optional(z.literal([1, 2, 3, 4, 5, 6, 7, 8, 9])),
  religion: text,
  smoking: z.optional(z.literal([1, 2, 3, 4, 5])),
});

export const relationPartner = z.looseObject({
  can_access_closed: z.optional(z.boolean()),
  deactivated: text,
  first_name: z.string(),
  hidden: number,
  id: z.number(),
  is_closed: z.optional(z.boolean()),
  last_name: z.string(),
});

export const relative = z.looseObject({
  id: number,
  name: text,
  type: z.optional(z.enum(["parent", "child", "grandparent", "grandchild", "sibling"])),
});

export const school = z.looseObject({
  city: number,
  class: text,
  country: number,
  id: text,
  name: text,
  speciality: text,
  type: number,
  type_str: text,
  year_from: number,
  year_graduated: number,
  year_to: number,
});

export const university = z.looseObject({
  chair: number,
  chair_name: text,
  city: number,
  country: number,
  education_form: text,
  education_status: text,
  faculty: number,
  faculty_name: text,
  graduation: number,
  id: number,
  name: text,
  university_group_id: number,
});
