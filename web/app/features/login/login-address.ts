import type { LoginProvider } from '@clearframe/contract';
import {
  LOGIN_RETURN_PARAMETER,
  preserveVersionParam,
  returnAddress,
  returnAddressIn,
} from '../../http/internal-address';
import type { FailureMessage } from './failures';

/** The login's own pages and non-pages are no return addresses. */
const NO_DESTINATION = /^\/(?:login|logout|sandbox|onboarding|api|media)(?:[/?#]|$)/;

export function destinationIn(search: string): string {
  const address = returnAddressIn(search);
  return NO_DESTINATION.test(address) ? '/' : address;
}

interface LoginStep {
  readonly returnTo: string;
  readonly search: string;
}

export function withReturnTo(address: string, { returnTo, search }: LoginStep): string {
  const query = new URLSearchParams(returnTo === '/' ? {} : { [LOGIN_RETURN_PARAMETER]: returnTo });
  const separator = address.includes('?') ? '&' : '?';
  return preserveVersionParam(`${address}${query.size > 0 ? separator : ''}${query}`, search);
}

export const loginWithProblem = (problem: FailureMessage): string => `/login?${new URLSearchParams({ problem })}`;

/** `original` is null when unknown. */
export const linkingAddress = (attempted: LoginProvider, original: LoginProvider | null): string =>
  `/login/linking?${new URLSearchParams({ attempted, ...(original ? { original } : {}) })}`;

const PERSONAL = ['mediaType', 'taskId'];

/** Target of a logout: the result page reloads, others lead home without a photo (spec 1, sections 2 and 4). */
export function guestDestination(from: unknown): string {
  const address = returnAddress(from);
  const url = new URL(address, 'http://nowhere.invalid');
  if (url.pathname === '/result') return address;
  if (url.pathname !== '/') return '/';
  for (const name of PERSONAL) url.searchParams.delete(name);
  return `/${url.search}`;
}
