/** The mark of Google as an image, drawn after its brand guide: https://developers.google.com/identity/branding-guidelines */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><g fill='none' stroke-width='4'><path stroke='%23ea4335' d='M4.75 8.62A8 8 0 0 1 17.66 6.34'/><path stroke='%23fbbc05' d='M5.07 16A8 8 0 0 1 4.75 8.62'/><path stroke='%2334a853' d='M17.14 18.13A8 8 0 0 1 5.07 16'/><path stroke='%234285f4' d='M12 12h8a8 8 0 0 1-2.86 6.13'/></g></svg>";
