import { access, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { removeAbandonedScratch, withScratch } from './scratch.js';

it('removes the folder of a killed worker with the id of this one, and keeps those in use', async () => {
  await withScratch(async (folder) => {
    // A container that is started again often gives its processes the same ids.
    const left = join(dirname(folder), basename(folder).replace(/^(\d+)\.\d+/, '$1.1'));
    await mkdir(left);
    await removeAbandonedScratch();
    await expect(access(left)).rejects.toMatchObject({ code: 'ENOENT' });
    await access(folder);
  });
});
