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
  availableCredits: 0,
  hasIncompleteSubscription: false,
  hasPluginKeys: false,
};
const member: TabConditions = { ...free, hasPluginKeys: true };
const premium: TabConditions = { ...member, isPremium: true };

describe('the tabs of', () => {
  it.each<[string, TabConditions, string[]]>([
    ['a guest', free, ['general', 'subscription']],
    ['a member on the free plan', member, ['general', 'subscription', 'pluginKey']],
    ['a member with credits', { ...member, availableCredits: 1 }, ['general', 'subscription', 'limits', 'pluginKey']],
    ['a subscriber', premium, ['general', 'subscription', 'limits', 'pluginKey']],
    ['a subscriber while keys are off', { ...premium, hasPluginKeys: false }, ['general', 'subscription', 'limits']],
    ['a member made free', { ...premium, isFree: true }, ['general', 'limits', 'pluginKey']],
    ['an open first payment', { ...member, hasIncompleteSubscription: true }, ['general', 'subscription', 'pluginKey']],
    [
      'an open first payment beside credits',
      { ...member, availableCredits: 3, hasIncompleteSubscription: true },
      ['general', 'subscription', 'pluginKey'],
    ],
    [
      'a business by gift code with an open first payment',
      { ...premium, hasIncompleteSubscription: true },
      ['general', 'subscription', 'pluginKey'],
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
