import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../../../src/billing/providers/port/payment-provider.js';
import { InvalidSandboxRequest } from '../../../src/billing/providers/sandbox/core/ledger.js';
import { startApi, type TestApi } from '../../support/application.js';
import { newKey, SandboxClient } from './sandbox-provider.js';

let api: TestApi;
let sandbox: SandboxClient;
beforeAll(async () => {
  api = await startApi();
  sandbox = new SandboxClient(api);
});
afterAll(() => api.stop());

describe('an idempotency key', () => {
  it('executes a request once, even concurrently', async () => {
    const holder = await sandbox.cardHolder();
    const request = { ...holder, key: newKey(), reference: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 5 }, () => sandbox.subscribe(request)));
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(await sandbox.cards.listSubscriptions(holder.customerId)).toHaveLength(1);
    expect(await sandbox.chargesOf(responses[0]?.id ?? '')).toEqual([999]);
  });

  it('rejects other parameters, in any order', async () => {
    const customerId = await sandbox.customer();
    const key = newKey();
    const order = { customerId, amountCents: 499, currency: 'usd', reference: 'r', key } as const;
    const first = await sandbox.cards.createPaymentIntent(order);
    const { amountCents, ...rest } = order;
    expect(await sandbox.cards.createPaymentIntent({ amountCents, ...rest })).toEqual(first);
    await expect(sandbox.cards.createPaymentIntent({ ...order, amountCents: 498 })).rejects.toThrow(
      InvalidSandboxRequest,
    );
    await expect(sandbox.cards.createSetupIntent(customerId, key)).rejects.toThrow(InvalidSandboxRequest);
  });

  it('is not needed for customers: each user has one', async () => {
    const id = randomUUID();
    const requested = await Promise.all(
      ['a@example.com', 'b@example.com', null].map((email) => sandbox.cards.ensureCustomer({ id, email })),
    );
    expect(new Set(requested).size).toBe(1);
  });
});

describe('the fault injector', () => {
  beforeEach(() => sandbox.faults.reconnect());

  it('fails all calls while disconnected', async () => {
    const holder = await sandbox.cardHolder();
    sandbox.faults.disconnect();
    await expect(sandbox.subscribe(holder)).rejects.toThrow(ProviderUnavailable);
    sandbox.faults.reconnect();
    expect(await sandbox.cards.listSubscriptions(holder.customerId)).toEqual([]);
  });

  it('loses the response of an executed request, which the same key finds', async () => {
    const request = { ...(await sandbox.cardHolder()), key: newKey(), reference: randomUUID() };
    sandbox.faults.loseNextResponse();
    await expect(sandbox.subscribe(request)).rejects.toThrow(ProviderUnavailable);
    const [done] = await sandbox.cards.listSubscriptions(request.customerId);
    expect(await sandbox.subscribe(request)).toEqual(done);
  });

  it('holds back the response of an executed request', async () => {
    const holder = await sandbox.cardHolder();
    const { reached, release } = sandbox.faults.holdNextResponse();
    const response = sandbox.subscribe(holder);
    await reached;
    const [done] = await sandbox.cards.listSubscriptions(holder.customerId);
    release();
    expect(await response).toEqual(done);
  });
});
