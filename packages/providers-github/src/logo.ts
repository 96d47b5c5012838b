/** The mark of GitHub as an image, drawn after its brand guide: https://brand.github.com/foundations/logo */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><circle cx='12' cy='12' r='11' fill='%2324292f'/><path fill='%23fff' d='M7.2 6.2c1.3.2 2.3.8 2.9 1.3a9 9 0 0 1 3.8 0c.6-.5 1.6-1.1 2.9-1.3.4 1 .4 1.9.2 2.5.7.8 1 1.8 1 2.9 0 3.4-2.2 4.6-4.3 5 .5.5.8 1.2.8 2.1v3.9h-5v-2c-2.2.4-2.9-.7-3.4-1.7-.3-.6-.7-.9-1.1-1.2.9-.2 1.5.3 2 1 .6 1 1.3 1.2 2.5.9.1-.6.3-1.1.6-1.4-2.4-.4-4.3-1.7-4.3-5 0-1.1.3-2.1 1-2.9-.2-.7-.2-1.5.2-2.5z'/></svg>";
