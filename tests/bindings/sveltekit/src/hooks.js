/** What the browser sees as `/alias` is a page of the members. */
export const reroute = ({ url }) => (/^\/alias(?=\/|$)/.test(url.pathname) ? "/members/alias" : undefined);
