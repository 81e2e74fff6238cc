import type { TestApi } from './application.js';
import type { Visitor } from './visitor.js';

export const TICKETS = '/api/v1/web/zendesk/tickets';

export const request = (changes: object = {}) => ({
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  subject: 'My photo is blurred',
  body: 'It was taken in 1843.\nCan you help?',
  source: 'result',
  device: 'Desktop, macOS',
  browser: 'Firefox 140',
  event_id: '5f0f3b0e-req',
  ...changes,
});

interface Sending {
  readonly visitor?: Visitor | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function send(api: TestApi, body: object, { visitor = null, headers = {} }: Sending = {}) {
  const call = api.http.post(TICKETS).set(headers).send(body);
  return visitor ? call.auth(visitor.token, { type: 'bearer' }) : call;
}
