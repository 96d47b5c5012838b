/** The mark of Apple as an image, drawn after its brand guide: https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='M12 7.6c1.2 0 2.2-.9 3.9-.9 1.6 0 2.9.8 3.7 2-3 1.8-2.5 6 .6 7.2-.8 2.2-2.6 5.4-4.5 5.4-1.4 0-1.9-.9-3.6-.9s-2.3.9-3.6.9c-2.5 0-5.1-4.5-5.1-8.3 0-3.9 2.5-6.3 5-6.3 1.6 0 2.5.9 3.6.9zM11.9 6.5c-.1-2.3 1.8-4.3 4-4.6.3 2.5-1.9 4.6-4 4.6z'/></svg>";
