/** The mails that the guides sent. */
export const mails: { readonly to: string; readonly text: string }[] = [];

export const sendMail = async (to: string, text: string): Promise<void> => void mails.push({ to, text });
