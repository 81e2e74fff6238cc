import type { Modals } from '../../modals/create-modals';
import type { LoginDone } from './login-flow';
import { FIRST_LOGIN, startsWithPlans } from './newcomer';

/** Opens the plans over the page after the first login of an account. */
export async function offerPlans(done: LoginDone, open: Modals['open']): Promise<void> {
  if (done.next !== null || !startsWithPlans(done)) return;
  const options = { loginOnly: false, forceLogin: false, previousAction: FIRST_LOGIN };
  await open('user:onboarding', { ...options, member: done, offers: null });
}
