import type { LoginProvider } from '@clearframe/contract';
import { keepLanding, LOGIN_RETURN_PARAMETER, returnAddressIn } from '../../../http/landing';
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
