import { expect, test } from 'vitest';
import { declaredTypeOf } from './declared-type.server';
import { sanitizeFileName } from './file-name.server';

test.each([
  ['image/png', 'x', 'image/png'],
  ['IMAGE/JPEG; q=1', 'x', 'image/jpeg'],
  ['image/jpg', 'x', 'image/jpeg'],
  ['', 'IMG_1.HEIC', 'image/heic'],
  ['application/octet-stream', 'scan.tiff', 'image/tiff'],
  ['application/octet-stream', 'no extension', 'image/jpeg'],
  // Names of object properties.
  ['', 'face.constructor', 'image/jpeg'],
  ['constructor', 'face', null],
  ['__proto__', 'notes.__proto__', null],
  ['image/gif', 'fun.gif', null],
  ['text/plain', 'notes.txt', null],
  ['video/mp4', 'film.mp4', null],
])('%s of %s is declared as %s', (type, name, expected) => {
  expect(declaredTypeOf(type, name)).toBe(expected);
});

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
