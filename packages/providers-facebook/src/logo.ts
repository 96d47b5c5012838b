/** The mark of Facebook as an image, drawn after its brand guide: https://about.meta.com/brand/resources/facebook/logo */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><circle cx='12' cy='12' r='11' fill='%230866ff'/><path fill='%23fff' d='M13.4 22.9v-7.6h2.7l.5-3.3h-3.2V9.9c0-.9.5-1.8 1.9-1.8h1.5V5.2s-1.3-.2-2.6-.2c-2.7 0-4.3 1.6-4.3 4.5V12H7v3.3h2.9v7.5z'/></svg>";
