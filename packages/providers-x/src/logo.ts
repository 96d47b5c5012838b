/** The mark of X as an image, drawn after its brand guide: https://about.x.com/en/who-we-are/brand-toolkit */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill-rule='evenodd' d='M3 3h5.5l4 5.6L17.4 3H20l-6.3 7.3L21 21h-5.5l-4.3-6.2L5.8 21H3.2l6.8-7.9zm3.5 1.7 10 14.6h1.2L7.8 4.7z'/></svg>";
