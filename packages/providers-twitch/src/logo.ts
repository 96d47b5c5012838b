/** The mark of Twitch as an image, drawn after its brand guide: https://brand.twitch.com */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='%239146ff' d='M5.5 2H21v10.7l-4.5 4.5H13L9.7 20.5H7.5v-3.3H3V4.8z'/><path fill='%23fff' d='M6.5 4H19v7.8l-3 3h-3.6l-2.9 2.9v-2.9h-3z'/><path fill='%239146ff' d='M10.5 7h1.8v4.5h-1.8zM14.7 7h1.8v4.5h-1.8z'/></svg>";
