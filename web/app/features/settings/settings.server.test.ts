import { pino } from 'pino';
import { expect, test } from 'vitest';
import { contextWith } from '../../../test/offered-prices';
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
