import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CardProvider, WalletProvider } from '../providers/payment-provider.js';
import { ProviderEventProcessor } from '../reconciliation/provider-event-processor.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ API_ROLE: 'http', LIMIT_WEBHOOKS_PER_MINUTE: '2' });
});
afterAll(() => api.stop());
afterEach(() => {
  vi.restoreAllMocks();
});

it('events of a network above its limit are rejected before their signature is verified', async () => {
  const verify = vi.spyOn(api.app.get(WalletProvider, { strict: false }), 'readEvent').mockResolvedValue(null);
  const post = () => api.http.post('/api/webhooks/paypal').send({ id: 'WH-1' });
  for (const _allowed of [1, 2]) expect((await post().expect(400)).body.error_code).toBe('webhooks.signature_invalid');
  const { body, headers } = await post().expect(429);
  expect(body.error_code).toBe('request.rate_limited');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(verify).toHaveBeenCalledTimes(2);
});

it('a reference that only resembles an id of ours is ignored', async () => {
  const read = vi.spyOn(api.app.get(CardProvider, { strict: false }), 'readPayment').mockResolvedValue({
    id: 'pi_of_another_product',
    provider: 'stripe',
    customerId: null,
    reference: '-'.repeat(36),
    status: 'succeeded',
    amountCents: 100,
    currency: 'usd',
    refundedCents: 0,
    isDisputed: false,
    payerEmail: null,
  });
  const events = api.app.get(ProviderEventProcessor, { strict: false });
  expect(await events.process('stripe', 'payment', 'pi_of_another_product', 0)).toBe(true);
  expect(read).toHaveBeenCalledOnce();
});
