import type { AppLoadContext } from '@remix-run/node';
import { pino } from 'pino';
import { readSettings, type Settings } from '../server/config/settings.ts';

export const SECRETS = {
  CLEARFRAME_COOKIE_SECRET: 'a cookie secret for tests, long enough',
  CLEARFRAME_INTERNAL_SECRET: 'an internal secret for tests, long enough',
};

export const settingsFor = (apiUrl: URL, publicUrl = 'http://clearframe.test'): Settings =>
  readSettings({ ...SECRETS, API_URL: apiUrl.origin, PUBLIC_URL: publicUrl });

export const contextFor = (apiUrl: URL, publicUrl?: string): AppLoadContext => ({
  settings: settingsFor(apiUrl, publicUrl),
  logger: pino({ level: 'silent' }),
  requestId: 'req-from-web',
  clientAddress: '203.0.113.7',
  nonce: 'nonce',
  whenWritable: async () => {},
});
