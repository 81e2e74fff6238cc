/** What a visitor landed with and keeps wherever they go (spec 1, section 2). */
const KEPT = 'v';

/** Where nobody is. Makes a URL out of an address without an origin. */
const NOWHERE = 'http://nowhere.invalid';

/**
 * An address of ours, with what the visitor landed with.
 * @param address from the root: path, query and hash. One that says `v` itself keeps its own.
 * @param search query of the page the visitor is on, or one that holds what is kept
 */
export function keepLanding(address: string, search: string): string {
  const kept = new URLSearchParams(search).get(KEPT);
  if (kept === null || !address.startsWith('/')) return address;
  const url = new URL(address, NOWHERE);
  if (!url.searchParams.has(KEPT)) url.searchParams.set(KEPT, kept);
  return relative(url);
}

/** The address to come back to that a page was given, when it is one of ours; else home. */
export function returnAddress(text: unknown): string {
  if (typeof text !== 'string' || !URL.canParse(text, NOWHERE)) return '/';
  const url = new URL(text, NOWHERE);
  // Browsers read `//host` as another site, and `/.//host` is that once it is resolved.
  return text.startsWith('/') && url.origin === NOWHERE && !url.pathname.startsWith('//') ? relative(url) : '/';
}

/** Names the page to come back to. */
export const RETURN_PARAMETER = 'from';

/** The same on the login page, for those who are sent there. */
export const LOGIN_RETURN_PARAMETER = 'returnTo';

/** Where the way back from a page leads, as its query says; home when it does not. */
export function returnAddressIn(search: string): string {
  const query = new URLSearchParams(search);
  return returnAddress(query.get(RETURN_PARAMETER) ?? query.get(LOGIN_RETURN_PARAMETER));
}

/** The login page, for somebody who has to come back to where they are. */
export const loginAddress = (returnTo: string, search: string): string =>
  keepLanding(`/login?${new URLSearchParams({ [LOGIN_RETURN_PARAMETER]: returnTo })}`, search);

const relative = (url: URL): string => `${url.pathname}${url.search}${url.hash}`;

/** Where support reads mail. */
export const SUPPORT_ADDRESS = 'support@clearframe.example';
