/** The mark of GitLab as an image, drawn after its brand guide: https://design.gitlab.com/brand-logo/logomark */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='%23fc6d26' d='M12 21.5 1.5 13.6 4.6 3.5l2.7 6.8h9.4l2.7-6.8 3.1 10.1z'/><path fill='%23fca326' d='m12 21.5-10.5-7.9 1-3.3zm0 0 10.5-7.9-1-3.3z'/><path fill='%23e24329' d='M12 21.5 7.3 10.3h9.4z'/></svg>";
