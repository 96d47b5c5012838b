/** The mark of Spotify as an image, drawn after its brand guide: https://developer.spotify.com/documentation/design */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><circle cx='12' cy='12' r='11' fill='%231ed760'/><g fill='none' stroke='%23000' stroke-linecap='round'><path stroke-width='2' d='M6.2 8.9c4-1.1 8.4-.7 11.9 1.2'/><path stroke-width='1.7' d='M6.8 12.3c3.3-.9 6.9-.5 9.9 1'/><path stroke-width='1.4' d='M7.3 15.5c2.7-.7 5.5-.4 8 .9'/></g></svg>";
