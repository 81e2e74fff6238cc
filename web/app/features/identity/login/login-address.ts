import type { LoginProvider } from '@clearframe/contract';
import { LOGIN_RETURN_PARAMETER, preserveVersionParam, returnAddress, returnAddressIn } from '../../../http/landing';
import type { FailureMessage } from '../client/failures';

/** Pages of the login itself and non-pages, which are no return addresses. */
const NO_DESTINATION = /^\/(?:login|logout|sandbox|onboarding|api|media)(?:[/?#]|$)/;

/** Where a login leads: the internal page in the query, else home. */
export function destinationIn(search: string): string {
  const address = returnAddressIn(search);
  return NO_DESTINATION.test(address) ? '/' : address;
}

interface Journey {
  readonly returnTo: string;
  /** Query of the current page. */
  readonly search: string;
}

/** The address of a login step, with the page to return to. */
export function onTheWay(address: string, { returnTo, search }: Journey): string {
  const query = new URLSearchParams(returnTo === '/' ? {} : { [LOGIN_RETURN_PARAMETER]: returnTo });
  const separator = address.includes('?') ? '&' : '?';
  return preserveVersionParam(`${address}${query.size > 0 ? separator : ''}${query}`, search);
}

/** The login page with an error message. */
export const loginWithProblem = (problem: FailureMessage): string => `/login?${new URLSearchParams({ problem })}`;

/** The page of the modal about an account that exists under another, possibly unknown, provider. */
export const linkingAddress = (attempted: LoginProvider, original: LoginProvider | null): string =>
  `/login/linking?${new URLSearchParams({ attempted, ...(original ? { original } : {}) })}`;

/** Parameters of the home page that refer to a user's photo. */
const PERSONAL = ['mediaType', 'taskId'];

/**
 * Where a logout leads (spec 1, sections 2 and 4): the result page is reloaded, all others lead home without a photo.
 * @param from the current page
 */
export function guestDestination(from: unknown): string {
  const address = returnAddress(from);
  const url = new URL(address, 'http://nowhere.invalid');
  if (url.pathname === '/result') return address;
  if (url.pathname !== '/') return '/';
  for (const name of PERSONAL) url.searchParams.delete(name);
  return `/${url.search}`;
}
