import { expect, it } from 'vitest';
import { clientOf, deviceTypeOf } from './client-of.server';

it.each([
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    { device: 'desktop, Apple, macOS 10.15', browser: 'Firefox 140.0' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    { device: 'mobile, Apple iPhone, iOS 18.5', browser: 'Safari 18.5' },
  ],
  ['curl/8.5.0', { device: '', browser: expect.any(String) }],
  ['', { device: '', browser: '' }],
  [null, { device: '', browser: '' }],
  ['Mozilla/5.0 '.repeat(1000), { device: '', browser: '' }],
])('%s', (userAgent, client) => {
  expect(clientOf(userAgent)).toEqual(client);
});

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148', 'mobile'],
  ['Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148', 'tablet'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'desktop'],
  ['curl/8.5.0', 'desktop'],
  [null, 'desktop'],
])('%s is on %s', (userAgent, type) => {
  expect(deviceTypeOf(userAgent)).toBe(type);
});
