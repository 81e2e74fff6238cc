import { expect, test } from 'vitest';
import { sanitizeFileName } from './upload.server';

test('a long file name keeps its extension', () => {
  const name = sanitizeFileName(`${'long '.repeat(100)}.jpeg`);
  expect(name).toHaveLength(255);
  expect(name).toMatch(/….jpeg$/);
});

test('a file name is not shortened within a surrogate pair', () => {
  expect(sanitizeFileName(`${'😀'.repeat(200)}.jpg`)).toMatch(/^(?:😀)+….jpg$/u);
});

test.each([
  ['C:\\photos\\face.jpg', 'face.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['  ', undefined],
  ['fa\u0000ce\n.jpg', 'face.jpg'],
  ['顔.png', '顔.png'],
])('%s becomes %s', (given, expected) => {
  expect(sanitizeFileName(given)).toBe(expected);
});
