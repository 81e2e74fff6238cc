import { inMilliseconds, type Role } from '@clearframe/contract';
import { RETURN_PARAMETER } from '../../http/internal-address';
import type { Modals } from '../modals/create-modals';
import type { LoginDone } from './login-flow';

/** Accounts of up to this age are new (spec 1, section 9). */
const WINDOW_MS = inMilliseconds.seconds(60);

export const isNewcomer = (createdAt: string, now: number): boolean => now - Date.parse(createdAt) < WINDOW_MS;

const BASE_ROLES: readonly Role[] = ['base', 'credits'];

export const hasNoPlan = (role: Role): boolean => BASE_ROLES.includes(role);

const startsWithPlans = ({ createdAt, role }: { readonly createdAt: string; readonly role: Role }): boolean =>
  hasNoPlan(role) && isNewcomer(createdAt, Date.now());

const FIRST_LOGIN = 'login';

/**
 * Page after a login without a modal. A login that continues something else, such as a purchase, is not interrupted.
 */
export const destinationAfterLogin = (
  user: { readonly createdAt: string; readonly role: Role },
  destination: string,
): string => {
  const { pathname, search } = new URL(destination, 'http://nowhere.invalid');
  if (pathname !== '/' || !startsWithPlans(user)) return destination;
  const query = new URLSearchParams({
    previousAction: FIRST_LOGIN,
    ...(search && { [RETURN_PARAMETER]: destination }),
  });
  return `/onboarding?${query}`;
};

export async function offerPlans(done: LoginDone, open: Modals['open']): Promise<void> {
  if (done.next !== null || !startsWithPlans(done)) return;
  const options = { loginOnly: false, forceLogin: false, previousAction: FIRST_LOGIN };
  await open('user:onboarding', { ...options, member: done, offers: null });
}
