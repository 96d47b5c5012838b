/** The mark of LinkedIn as an image, drawn after its brand guide: https://brand.linkedin.com/linkedin-logo */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><rect x='1.5' y='1.5' width='21' height='21' rx='2.5' fill='%230a66c2'/><g fill='%23fff'><circle cx='6.6' cy='6.8' r='1.8'/><path d='M5.1 9.9h3.1v9.3H5.1zM10.2 9.9h2.9v1.3c.4-.8 1.4-1.5 2.9-1.5 2.9 0 3.5 1.9 3.5 4.4v5.1h-3.1v-4.5c0-1.1 0-2.4-1.5-2.4s-1.6 1.2-1.6 2.4v4.5h-3.1z'/></g></svg>";
