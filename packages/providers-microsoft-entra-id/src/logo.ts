/** The mark of Microsoft as an image, drawn after its brand guide: https://learn.microsoft.com/en-us/entra/identity-platform/howto-add-branding-in-apps */
export const LOGO =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='%23f25022' d='M2 2h9.5v9.5H2z'/><path fill='%237fba00' d='M12.5 2H22v9.5h-9.5z'/><path fill='%2300a4ef' d='M2 12.5h9.5V22H2z'/><path fill='%23ffb900' d='M12.5 12.5H22V22h-9.5z'/></svg>";
