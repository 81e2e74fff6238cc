import { returnAddress } from '../../../http/landing';

/** Of the home page's address, what belongs to somebody's picture. */
const PERSONAL = ['mediaType', 'taskId'];

/**
 * Where somebody goes on who becomes a guest (spec 1, sections 2 and 4): the result page is loaded anew, everything
 * else leads home, and home forgets the picture it was about.
 * @param from the page they were on
 */
export function guestDestination(from: unknown): string {
  const address = returnAddress(from);
  const url = new URL(address, 'http://nowhere.invalid');
  if (url.pathname === '/result') return address;
  if (url.pathname !== '/') return '/';
  for (const name of PERSONAL) url.searchParams.delete(name);
  return `/${url.search}`;
}
