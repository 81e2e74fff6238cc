import type { User } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { ADA, memberCookie } from '../../../test/users';
import { planSuccess } from './success.server';

const PRICE = {
  id: 'personal_weekly_usd',
  price_id: 'p_1',
  amount_cents: 999,
  currency: 'usd',
  recurring_interval: 'week',
  recurring_interval_count: 1,
  exports: 20,
  paypal_plan_id: null,
  paypal_plan_no_ft_id: null,
};

const SUBSCRIPTION = {
  subscription_id: 'sub_1',
  price_id: 'p_1',
  has_been_canceled: false,
  cancellation_date: null,
  current_period_end: '2026-04-07T12:00:00.000Z',
  trial_end: null,
  portal_session_url: null,
};

const SUBSCRIBER: User = {
  ...ADA,
  role: 'personal',
  monetization: { ...ADA.monetization, isSubscribed: true, subscriptionProvider: 'stripe', priceId: 'p_1' },
};

async function successOf(status: string | null, user = SUBSCRIBER) {
  const backend = await startBackend(({ url }, response) => {
    if (url?.includes('/prices')) return sendJson(response, 200, { prices: [PRICE] });
    if (status === null) return sendProblem(response, 'service.unavailable');
    return sendJson(response, 200, { ...SUBSCRIPTION, status });
  });
  const context = contextFor(backend.url);
  const headers = { cookie: await memberCookie(context), 'accept-language': 'en' };
  return planSuccess(user, { request: new Request('http://clearframe.test/welcome', { headers }), context });
}

test('a trial names its first charge, with a file for calendars and no receipt', async () => {
  const { title, facts } = await successOf('trialing');
  expect(title).toBe('Your free trial has started');
  expect(facts).toMatchObject([
    {
      text: 'Free until April\u00a07,\u00a02026, then $9.99 a week. Cancel at least 24 hours before.',
      link: { to: '/account/subscription/first-charge.ics' },
    },
    { text: 'Confirmation sent to ada@example.com', link: null },
  ]);
});

test('a paid plan names its next charge and where its receipt is', async () => {
  const { title, facts } = await successOf('active');
  expect(title).toBe('Your plan is active');
  expect(facts).toMatchObject([
    { text: 'Next charge: $9.99 on April\u00a07,\u00a02026.', link: null },
    { text: 'Receipt sent to ada@example.com', link: { to: '/account/purchases' } },
  ]);
});

test('without an answer of the payment provider, the plan is still named as active', async () => {
  expect(await successOf(null)).toEqual({ title: 'Your plan is active', facts: [] });
});
