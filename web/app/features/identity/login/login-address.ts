import type { LoginProvider } from '@clearframe/contract';
import { keepLanding, LOGIN_RETURN_PARAMETER, returnAddress, returnAddressIn } from '../../../http/landing';
import type { FailureMessage } from '../client/failures';

/** Pages that are part of signing in or out, or none: nobody is sent back to them. */
const NO_DESTINATION = /^\/(?:login|logout|sandbox|onboarding|api|media)(?:[/?#]|$)/;

/** Where to go once somebody has signed in: a page of ours, as the query says, else home. */
export function destinationIn(search: string): string {
  const address = returnAddressIn(search);
  return NO_DESTINATION.test(address) ? '/' : address;
}

interface Journey {
  readonly returnTo: string;
  /** Holds what the visitor landed with. */
  readonly search: string;
}

/** An address on the way of signing in, which knows where it ends. */
export function onTheWay(address: string, { returnTo, search }: Journey): string {
  const query = new URLSearchParams(returnTo === '/' ? {} : { [LOGIN_RETURN_PARAMETER]: returnTo });
  const separator = address.includes('?') ? '&' : '?';
  return keepLanding(`${address}${query.size > 0 ? separator : ''}${query}`, search);
}

/** The login page with a sentence about what went wrong. */
export const loginWithProblem = (problem: FailureMessage): string => `/login?${new URLSearchParams({ problem })}`;

/** The page of the modal that says that an account exists already, under another provider or one that is not known. */
export const linkingAddress = (attempted: LoginProvider, original: LoginProvider | null): string =>
  `/login/linking?${new URLSearchParams({ attempted, ...(original ? { original } : {}) })}`;

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
