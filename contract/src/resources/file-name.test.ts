import { expect, it } from 'vitest';
import { FileName } from './uploads.js';

it('a file name loses overrides of the text direction, which can disguise its end', () => {
  expect(FileName.parse('holiday\u202Egpj.exe')).toBe('holidaygpj.exe');
  expect(FileName.parse('\u2066photo\u2069.jpg')).toBe('photo.jpg');
  expect(FileName.parse('عطلة.jpg')).toBe('عطلة.jpg');
  expect(FileName.safeParse('\u202E').success).toBe(false);
});

it('a file name has no control characters', () => {
  expect(FileName.safeParse('a\r\nset-cookie: x.jpg').success).toBe(false);
});
