import { expect, test } from 'vitest';
import { declaredTypeOf, fileKindOf, formatNameOf, isNamedPhoto } from './file-types';

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

test.each([
  ['sea.jpg', 'image/jpeg', 'image', 'JPG'],
  ['IMG_1.HEIC', '', 'image', 'HEIC'],
  ['no extension', '', 'image', null],
  ['clip.mov', 'video/quicktime', 'video', 'MOV'],
  ['CLIP.MP4', '', 'video', 'MP4'],
  ['VID_1.3gp', 'video/3gpp', 'video', '3GP'],
  ['VID_1.3gp', '', 'video', '3GP'],
  ['clip.webm', 'video/webm', 'other', 'WEBM'],
  ['contract.pdf', 'application/pdf', 'other', 'PDF'],
  ['contract.pdf', '', 'other', 'PDF'],
  ['scan', 'application/pdf', 'other', 'PDF'],
  ['a.<b>', 'application/x-<b>', 'other', null],
])('%s of type "%s" is of kind %s and named %s', (name, type, kind, found) => {
  expect(fileKindOf({ name, type })).toBe(kind);
  expect(formatNameOf({ name, type })).toBe(found);
});

test.each([
  ['sea.jpg', 'image/jpeg', true],
  ['sea.heic', '', true],
  ['.hidden.jpg', 'image/jpeg', false],
  ['.DS_Store', '', false],
  ['Thumbs.db', '', false],
  ['notes.txt', 'text/plain', false],
  ['clip.mp4', 'video/mp4', false],
])('%s of type "%s" in a folder is a photo: %s', (name, type, expected) => {
  expect(isNamedPhoto({ name, type })).toBe(expected);
});
