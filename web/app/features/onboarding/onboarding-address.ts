import type { OnboardingOptions } from './steps';

interface OnboardingQuery extends OnboardingOptions {
  readonly previousAction: string | null;
}

export function onboardingAddress({ loginOnly, forceLogin, previousAction }: OnboardingQuery): string {
  const query = new URLSearchParams();
  if (loginOnly) query.set('loginOnly', '1');
  if (forceLogin) query.set('forceLogin', '1');
  if (previousAction) query.set('previousAction', previousAction);
  return `/onboarding${query.size > 0 ? '?' : ''}${query}`;
}

export const readOnboardingQuery = (query: URLSearchParams): OnboardingQuery => ({
  loginOnly: query.get('loginOnly') === '1',
  forceLogin: query.get('forceLogin') === '1',
  previousAction: query.get('previousAction'),
});
