/** Preserved on every page of a visit (spec 1, section 2). */
const VERSION_PARAMETER = 'v';

/** Base for parsing relative URLs. */
const BASE = 'http://nowhere.invalid';

/**
 * Adds the visit's `v` parameter to an internal address.
 * @param address path, query and hash; its own `v` takes precedence
 * @param search query of the current page
 */
export function preserveVersionParam(address: string, search: string): string {
  const version = new URLSearchParams(search).get(VERSION_PARAMETER);
  if (version === null || !address.startsWith('/')) return address;
  const url = new URL(address, BASE);
  if (!url.searchParams.has(VERSION_PARAMETER)) url.searchParams.set(VERSION_PARAMETER, version);
  return relative(url);
}

/** The home page's address with the landing page's version, unless it has one; null on other pages. */
export function landingAddress(
  { pathname, search, hash }: { readonly pathname: string; readonly search: string; readonly hash: string },
  version: string | null,
): string | null {
  const query = new URLSearchParams(search);
  if (version === null || pathname !== '/' || query.has(VERSION_PARAMETER)) return null;
  return preserveVersionParam(`${pathname}${search}${hash}`, `?${new URLSearchParams({ v: version })}`);
}

/** Whether two addresses differ in nothing but the landing page's version. */
export function differOnlyInVersion(one: string, other: string): boolean {
  const [first, second] = [one, other].map((address) => {
    const url = new URL(address, BASE);
    url.searchParams.delete(VERSION_PARAMETER);
    return url.href;
  });
  return first === second && one !== other;
}

/** The address if it is internal, otherwise `/`. */
export function returnAddress(text: unknown): string {
  if (typeof text !== 'string' || !URL.canParse(text, BASE)) return '/';
  const url = new URL(text, BASE);
  // Browsers resolve `//host` and `/.//host` to another site.
  return text.startsWith('/') && url.origin === BASE && !url.pathname.startsWith('//') ? relative(url) : '/';
}

/** Parameter and form field with the page to return to. */
export const RETURN_PARAMETER = 'from';

/** The same on the login page. */
export const LOGIN_RETURN_PARAMETER = 'returnTo';

export function returnAddressIn(search: string): string {
  const query = new URLSearchParams(search);
  return returnAddress(query.get(RETURN_PARAMETER) ?? query.get(LOGIN_RETURN_PARAMETER));
}

export const loginAddress = (returnTo: string, search: string): string =>
  preserveVersionParam(`/login?${new URLSearchParams({ [LOGIN_RETURN_PARAMETER]: returnTo })}`, search);

const relative = (url: URL): string => `${url.pathname}${url.search}${url.hash}`;

export const SUPPORT_ADDRESS = 'support@clearframe.example';
