import { expect, test } from 'vitest';
import { ClientTime } from '../resources/web-events.js';

test.each([
  ['2026-11-23T12:00:00.000Z', '2026-11-23T12:00:00.000Z'],
  ['2026-11-23T12:00:00Z', '2026-11-23T12:00:00.000Z'],
  ['2026-11-23T12:00:00+00:00', '2026-11-23T12:00:00.000Z'],
  ['2026-11-23T12:00:00.123456-05:30', '2026-11-23T17:30:00.123Z'],
  ['2026-11-23T12:00:00+23:59', '2026-11-22T12:01:00.000Z'],
])('%s is the time %s', (text, time) => expect(ClientTime.parse(text)).toBe(time));

test.each([
  'today',
  '2026-11-23',
  '2026-11-23T12:00:00',
  '2026-13-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+12:00',
  '9999-12-31T23:59:59-12:00',
])('%s is no time', (text) => expect(ClientTime.safeParse(text).success).toBe(false));
