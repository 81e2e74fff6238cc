import type { WebhookDelivery, WebhookEndpoint } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { deliveryViewOf, endpointViewOf, timeFormatterFor } from './webhooks-view.server';

const ENDPOINT: WebhookEndpoint = {
  id: '6f7d2c0b-9aa6-4a2b-bcbd-a6a2b0974326',
  url: 'https://hooks.example/',
  events: ['task.completed'],
  isEnabled: true,
  disabledReason: null,
  failingSince: null,
  previousSecretExpiresAt: null,
  createdAt: '2026-11-01T10:00:00.000Z',
};

const DELIVERY: WebhookDelivery = {
  id: '0d6a2f5e-8f0d-4f6c-9d1c-3a5b7c9d1e2f',
  messageId: '7b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  endpointId: ENDPOINT.id,
  url: ENDPOINT.url,
  type: 'task.completed',
  status: 'pending',
  skipReason: null,
  request: null,
  attempts: [],
  nextAttemptAt: '2026-11-01T10:00:05.000Z',
  createdAt: '2026-11-01T10:00:00.000Z',
};

const viewOf = (changes: Partial<WebhookDelivery>) =>
  deliveryViewOf({ ...DELIVERY, ...changes }, timeFormatterFor('en'), new Date('2026-11-01T10:00:00Z'));

it.each<[string, Partial<WebhookEndpoint>, object]>([
  ['works', {}, { state: 'on', failingSince: null }],
  [
    'fails',
    { failingSince: '2026-11-01T10:00:00.000Z' },
    { state: 'on', failingSince: { text: 'Nov\u00a01,\u00a010:00:00\u00a0UTC' } },
  ],
  [
    'was switched off while it failed',
    { isEnabled: false, disabledReason: 'owner', failingSince: '2026-11-01T10:00:00.000Z' },
    { state: 'owner', failingSince: null },
  ],
  ['is gone', { isEnabled: false, disabledReason: 'gone' }, { state: 'gone' }],
  [
    'has two secrets',
    { previousSecretExpiresAt: '2026-11-02T10:00:00.000Z' },
    { overlapUntil: { iso: '2026-11-02T10:00:00.000Z' } },
  ],
])('shows an endpoint that %s', (_case, changes, view) => {
  expect(endpointViewOf({ ...ENDPOINT, ...changes }, 'en')).toMatchObject(view);
});

it('is read again while an attempt is due, not for the hours between later ones', () => {
  expect(viewOf({}).isDue).toBe(true);
  expect(viewOf({ nextAttemptAt: '2026-11-01T12:00:00.000Z' }).isDue).toBe(false);
  expect(viewOf({ status: 'delivered', nextAttemptAt: null }).isDue).toBe(false);
});

it('shows the newest attempt first, and a request indented unless the log has cut it', () => {
  const attempt = { status: 500, error: null, answer: '', durationMs: 12 };
  const attempts = [
    { ...attempt, at: '2026-11-01T10:00:00.000Z' },
    { ...attempt, at: '2026-11-01T10:00:05.000Z' },
  ];
  const { attempts: shown, request } = viewOf({ attempts, request: '{"type":"task.completed"}' });
  expect(shown.map(({ at }) => at.iso)).toEqual(['2026-11-01T10:00:05.000Z', '2026-11-01T10:00:00.000Z']);
  expect(request).toBe('{\n  "type": "task.completed"\n}');
  expect(viewOf({ request: '{"type":"task.comp' }).request).toBe('{"type":"task.comp');
  expect(viewOf({ endpointId: null }).isCallback).toBe(true);
});
