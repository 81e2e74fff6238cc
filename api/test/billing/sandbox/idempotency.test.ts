import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../../../src/billing/providers/port/payment-provider.js';
import { InvalidSandboxRequest } from '../../../src/billing/providers/sandbox/core/ledger.js';
import { startApi, type TestApi } from '../../support/application.js';
import { newKey, SandboxCompanyUser } from './sandbox-provider.js';

let api: TestApi;
let company: SandboxCompanyUser;
beforeAll(async () => {
  api = await startApi();
  company = new SandboxCompanyUser(api);
});
afterAll(() => api.stop());

describe('a key', () => {
  it('does the same thing once, also when asked for at the same time', async () => {
    const holder = await company.cardHolder();
    const wish = { ...holder, key: newKey(), reference: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => company.subscribe(wish)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await company.cards.listSubscriptions(holder.customerId)).toHaveLength(1);
    expect(await company.chargesOf(answers[0]?.id ?? '')).toEqual([999]);
  });

  it('is refused with other parameters, whatever their order', async () => {
    const customerId = await company.customer();
    const key = newKey();
    const order = { customerId, amountCents: 499, currency: 'usd', reference: 'r', key } as const;
    const first = await company.cards.createPaymentIntent(order);
    const { amountCents, ...rest } = order;
    expect(await company.cards.createPaymentIntent({ amountCents, ...rest })).toEqual(first);
    await expect(company.cards.createPaymentIntent({ ...order, amountCents: 498 })).rejects.toThrow(
      InvalidSandboxRequest,
    );
    await expect(company.cards.createSetupIntent(customerId, key)).rejects.toThrow(InvalidSandboxRequest);
  });

  it('a user has one customer', async () => {
    const id = randomUUID();
    const asked = await Promise.all(
      ['a@example.com', 'b@example.com', null].map((email) => company.cards.ensureCustomer({ id, email })),
    );
    expect(new Set(asked).size).toBe(1);
  });
});

describe('the line to the company', () => {
  beforeEach(() => company.line.reconnect());

  it('that is down lets nothing through', async () => {
    const holder = await company.cardHolder();
    company.line.disconnect();
    await expect(company.subscribe(holder)).rejects.toThrow(ProviderUnavailable);
    company.line.reconnect();
    expect(await company.cards.listSubscriptions(holder.customerId)).toEqual([]);
  });

  it('that loses an answer has done the work, and the same key finds it', async () => {
    const wish = { ...(await company.cardHolder()), key: newKey(), reference: randomUUID() };
    company.line.loseNextResponse();
    await expect(company.subscribe(wish)).rejects.toThrow(ProviderUnavailable);
    const [done] = await company.cards.listSubscriptions(wish.customerId);
    expect(await company.subscribe(wish)).toEqual(done);
  });

  it('can hold an answer back after the work is done', async () => {
    const holder = await company.cardHolder();
    const { reached, release } = company.line.holdNextResponse();
    const answer = company.subscribe(holder);
    await reached;
    const [done] = await company.cards.listSubscriptions(holder.customerId);
    release();
    expect(await answer).toEqual(done);
  });
});
