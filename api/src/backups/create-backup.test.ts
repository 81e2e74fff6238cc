import { objectKeys } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { MEDIA_FOLDERS } from './create-backup.js';

it('backs up every folder that objects are stored in', () => {
  const keyOf = (make: (...parts: never[]) => string) =>
    (make as (...parts: unknown[]) => string)('task', 'run', 0, 'image/png');
  const folders = Object.values(objectKeys).map((make) => `${keyOf(make).split('/')[0]}/`);
  expect(MEDIA_FOLDERS).toEqual(expect.arrayContaining(folders));
});
