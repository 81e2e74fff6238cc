import { expect, test } from 'vitest';
import { SECRETS } from '../test/context.ts';
import { readSettings } from './settings.ts';

test('has a sensible value for everything but the secrets', () => {
  const settings = readSettings(SECRETS);
  expect(settings.port).toBe(3000);
  expect(settings.apiUrl.origin).toBe('http://127.0.0.1:4000');
  expect(settings.publicUrl.origin).toBe('http://localhost:3000');
});

test('the public address follows the port', () => {
  expect(readSettings({ ...SECRETS, WEB_PORT: '8080' }).publicUrl.origin).toBe('http://localhost:8080');
});

test.each([
  ['WEB_PORT', 'eighty'],
  ['WEB_PORT', '70000'],
  ['API_URL', 'backend:4000'],
  ['API_URL', 'http://backend/api'],
  ['PUBLIC_URL', 'ftp://clearframe.test'],
  ['CLEARFRAME_ENV', 'staging'],
  ['CLEARFRAME_COOKIE_SECRET', 'short'],
  ['CLEARFRAME_INTERNAL_SECRET', ''],
  ['LOG_LEVEL', 'loud'],
])('a bad %s stops the start and is named', (name, value) => {
  expect(() => readSettings({ ...SECRETS, [name]: value })).toThrow(name);
});
