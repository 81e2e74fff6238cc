import { CONSENT_CATEGORIES, type ConsentCategory } from '../../telemetry/consent-cookie';

/** `save`: the categories whose switches are on. */
export type CookieChoice = 'accept' | 'refuse' | 'save';

export function categoriesOf(
  choice: CookieChoice,
  isOn: (category: ConsentCategory) => boolean,
): readonly ConsentCategory[] {
  if (choice === 'save') return CONSENT_CATEGORIES.filter(isOn);
  return choice === 'accept' ? CONSENT_CATEGORIES : [];
}
