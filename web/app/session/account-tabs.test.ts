import { describe, expect, it, test } from 'vitest';
import {
  type AccountSection,
  accountAddress,
  accountSectionAt,
  type TabConditions,
  tabOf,
  visibleTabs,
} from './account-tabs';

const free: TabConditions = {
  isFree: false,
  isPremium: false,
  isBusiness: false,
  availableCredits: 0,
  hasIncompleteSubscription: false,
  hasPluginKeys: true,
};
const premium: TabConditions = { ...free, isPremium: true };
const business: TabConditions = { ...premium, isBusiness: true };

describe('the tabs of', () => {
  it.each<[string, TabConditions, string[]]>([
    ['a guest, or a member on the free plan', free, ['general', 'subscription']],
    ['a member with credits', { ...free, availableCredits: 1 }, ['general', 'subscription', 'limits']],
    ['a personal subscriber', premium, ['general', 'subscription', 'limits']],
    ['a business', business, ['general', 'subscription', 'limits', 'pluginKey']],
    [
      'a business while plug-in keys are off',
      { ...business, hasPluginKeys: false },
      ['general', 'subscription', 'limits'],
    ],
    ['a member made free', { ...business, isFree: true }, ['general', 'limits', 'pluginKey']],
    ['an open first payment', { ...free, hasIncompleteSubscription: true }, ['general', 'subscription']],
    [
      'an open first payment beside credits',
      { ...free, availableCredits: 3, hasIncompleteSubscription: true },
      ['general', 'subscription'],
    ],
    [
      'a business by gift code with an open first payment',
      { ...business, hasIncompleteSubscription: true },
      ['general', 'subscription'],
    ],
  ])('%s', (_case, conditions, tabs) => expect(visibleTabs(conditions)).toEqual(tabs));
});

test.each<[AccountSection, string]>([
  ['general', 'general'],
  ['privacy', 'general/privacy'],
  ['subscription', 'subscription'],
  ['limits', 'limits'],
  ['pluginKey', 'plugin-key'],
])('%s is at /account/%s', (section, path) => {
  expect(accountSectionAt(path)).toBe(section);
  expect(accountSectionAt(`${path}/`)).toBe(section);
  expect(accountAddress(section)).toBe(`/account/${path}`);
});

test.each(['', 'pluginKey', 'general/else', 'limits/more', '../result'])('/account/%s is no tab', (path) =>
  expect(accountSectionAt(path)).toBeNull(),
);

test('the privacy settings belong to the general tab', () => expect(tabOf('privacy')).toBe('general'));
