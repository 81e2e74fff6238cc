import { Settings, toWire } from '@clearframe/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor, cookieHeader, nextContext } from '../../../test/context';
import { contextWith } from '../../../test/offered-prices';
import { SETTINGS } from '../../../test/settings';
import { guestCookieOf } from '../../../test/users';
import { keepLocalStorageId } from '../../session/local-storage-id.server';
import { settingsOf } from './settings.server';

test('a site key without a secret key is logged once', async () => {
  const lines: string[] = [];
  const context = await contextWith();
  const withKey = {
    ...context,
    settings: { ...context.settings, captcha: { siteKey: 'site', scriptUrl: 'https://captcha.test/api.js' } },
    logger: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
  };
  for (const version of ['ip', 'ft']) {
    await settingsOf(new Request(`http://clearframe.test/?version=${version}`), withKey);
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('web has a RECAPTCHA_SITE_KEY but api has no RECAPTCHA_SECRET_KEY');
});

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148';

async function startSettings() {
  const asked: { device_type: string; local_storage_id: string; token: string | undefined }[] = [];
  const backend = await startBackend(async (request, response) => {
    const token = request.headers.authorization;
    asked.push({ ...JSON.parse((await request.toArray()).join('')), token });
    if (token === 'Bearer ended') return sendProblem(response, 'users.not_authorized');
    return sendJson(response, 200, toWire(Settings, SETTINGS));
  });
  const context = contextFor(backend.url);
  return { context, asked };
}

test('the backend learns each visitor’s browser, kind of device and language, once in a while', async () => {
  const { context, asked } = await startSettings();
  const headersOf = async (requestId: string) => {
    const visit = nextContext({ ...context, requestId });
    await keepLocalStorageId(new Request('http://clearframe.test'), visit);
    return { cookie: cookieHeader(visit.cookies), 'user-agent': PHONE, 'accept-language': 'de' };
  };
  const [one, other] = ['5f0f3b0e-7a0c-4a3e-9a55-0c6f0d0a0001', '5f0f3b0e-7a0c-4a3e-9a55-0c6f0d0a0002'];
  for (const id of [one, one, other] as const)
    await settingsOf(new Request('http://clearframe.test', { headers: await headersOf(id) }), context);
  expect(asked).toMatchObject([
    { local_storage_id: one, device_type: 'mobile', language: 'de' },
    { local_storage_id: other, device_type: 'mobile', language: 'de' },
  ]);
});

test('an ended session has the settings of a visitor without one', async () => {
  const { context, asked } = await startSettings();
  const cookie = await guestCookieOf('ended', context);
  const settings = await settingsOf(new Request('http://clearframe.test', { headers: { cookie } }), context);
  expect(settings.currency).toBe('usd');
  expect(asked.map(({ token }) => token)).toEqual(['Bearer ended', undefined]);
});
